# SPDX-License-Identifier: Apache-2.0
"""Trains and quantises the 64-32-10 network of the digits example; writes everything in data/.

Run once; the results are committed and nobody needs this script to run the example.
Needs numpy and scikit-learn, which carries the images. One thread (OMP_NUM_THREADS=1) and the package
versions named in data/README.md give the committed weights back bit for bit.

The first 898 images are the training part. Whatever is chosen (regularisation by five-fold
cross-validation, the weights, every quantisation scale) is chosen on that part alone.
"""
import json
import pathlib
import warnings

import numpy as np
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import cross_val_score
from sklearn.neural_network import MLPClassifier

TRAIN_IMAGES = 898
HIDDEN = 32
PIXEL_MAX = 16
SEED = 1
ALPHAS = (0.1, 0.3, 1.0, 3.0)  # L2 penalties tried
OUT = pathlib.Path(__file__).parent / "data"


def network(alpha):
    return MLPClassifier((HIDDEN,), activation="relu", solver="lbfgs", alpha=alpha,
                         max_iter=2000, random_state=SEED)


def train(x, y):
    """The double-precision network on pixels 0..16: (K+1) x N matrices, the bias as last row."""
    scaled = x / PIXEL_MAX
    score = {a: cross_val_score(network(a), scaled, y, cv=5).mean() for a in ALPHAS}
    alpha = max(score, key=score.get)
    print("cross-validation:", {a: round(float(s), 4) for a, s in score.items()}, "-> alpha", alpha)
    net = network(alpha).fit(scaled, y)
    w1 = np.vstack([net.coefs_[0] / PIXEL_MAX, net.intercepts_[0]])
    w2 = np.vstack([net.coefs_[1], net.intercepts_[1]])
    return w1, w2


def with_constant(x, value):
    return np.hstack([x, np.full((len(x), 1), value, x.dtype)])


def quantise(w, in_scale):
    """int8 weights, the int8 constant of the input's last column, and the accumulator's scale.

    in_scale: integer input = in_scale * real input. The constant is the smallest power of two that
    brings the bias row, divided by it, into int8.
    """
    scale = 127 / np.abs(w[:-1]).max()
    bias = w[-1] * scale * in_scale
    constant = 1
    while np.abs(np.rint(bias / constant)).max() > 127:
        constant *= 2
    assert constant <= 64
    q = np.rint(np.vstack([w[:-1] * scale, bias / constant])).astype(np.int8)
    return q, constant, scale * in_scale


def hidden(acc, shift):
    """What the core makes of an accumulator: relu, round(acc / 2^shift) ties to even, saturate."""
    return np.clip(np.rint(np.maximum(acc, 0) / 2.0**shift), -128, 127).astype(np.int32)


def write_double(path, matrices):
    """Every number in as many digits as bring the same double back; one matrix row a line."""
    rows = {name: ",\n".join(json.dumps(row) for row in w.tolist()) for name, w in matrices.items()}
    path.write_text("{" + ",\n".join(f'"{name}": [\n{text}\n]' for name, text in rows.items()) + "}\n")


def main():
    warnings.simplefilter("ignore", ConvergenceWarning)  # 2,000 steps fit every image by then
    digits = load_digits()
    images = digits.data.astype(np.uint8)
    labels = digits.target.astype(np.uint8)
    assert (images == digits.data).all() and images.max() == PIXEL_MAX
    train_x = images[:TRAIN_IMAGES].astype(np.int32)

    w1, w2 = train(train_x, labels[:TRAIN_IMAGES])
    q1, constant1, scale1 = quantise(w1, 1.0)
    acc1 = with_constant(train_x, constant1) @ q1.astype(np.int32)
    shift = 0  # the smallest that saturates nothing in the training part
    while acc1.max() > 127 << shift:
        shift += 1
    q2, constant2, _ = quantise(w2, scale1 / 2.0**shift)

    def logits_int(x):
        acc = with_constant(x, constant1) @ q1.astype(np.int32)
        return with_constant(hidden(acc, shift), constant2) @ q2.astype(np.int32)

    def logits_double(x):
        return with_constant(np.maximum(with_constant(x.astype(float), 1) @ w1, 0), 1) @ w2

    for name, part in ("train", slice(0, TRAIN_IMAGES)), ("test", slice(TRAIN_IMAGES, None)):
        x, y = images[part].astype(np.int32), labels[part]
        right = [int((f(x).argmax(1) == y).sum()) for f in (logits_double, logits_int)]
        print(f"{name}: {len(y)} images, right in double {right[0]}, in int8 {right[1]}")

    OUT.mkdir(exist_ok=True)
    for name, array in (("images", images), ("labels", labels), ("w1", q1), ("w2", q2)):
        np.save(OUT / f"{name}.npy", np.ascontiguousarray(array, np.int8))
    write_double(OUT / "double.json", {"w1": w1, "w2": w2})
    facts = {"train_images": TRAIN_IMAGES, "constant1": constant1, "constant2": constant2,
             "shift": shift}
    (OUT / "network.json").write_text(json.dumps(facts, indent=2) + "\n")
    print(facts)


if __name__ == "__main__":
    main()
