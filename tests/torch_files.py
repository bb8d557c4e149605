"""State dictionaries as PyTorch writes them, without PyTorch: networks for tests."""
import array
import io
import pickle
import random
import struct
import sys
import types
import zipfile


class FloatStorage:
    """Stands for torch.FloatStorage."""


def _rebuild_tensor_v2(*_):
    """Stands for torch._utils._rebuild_tensor_v2."""


for kind, place in ((FloatStorage, "torch"), (_rebuild_tensor_v2, "torch._utils")):
    kind.__module__, kind.__qualname__ = place, kind.__name__
    sys.modules.setdefault(place, types.ModuleType(place))
    setattr(sys.modules[place], kind.__name__, kind)


class Storage:
    def __init__(self, *identity):
        self.identity = identity


class Tensor:
    def __init__(self, storage, shape):
        self.storage, self.shape = storage, shape

    def __reduce__(self):
        steps, step = [], 1
        for length in reversed(self.shape):
            steps.insert(0, step)
            step *= length
        return _rebuild_tensor_v2, (self.storage, 0, self.shape, tuple(steps), False, {})


class Pickler(pickle.Pickler):
    def persistent_id(self, obj):
        return obj.identity if isinstance(obj, Storage) else None


def pickled(value):
    out = io.BytesIO()
    Pickler(out, protocol=2).dump(value)
    return out.getvalue()


def shapes():
    """Those of default2018."""
    layers = {"unit1_conv": (32, 28, 3, 3, 3), "unit2_conv": (32, 32, 1, 1, 1), "unit3_conv": (64, 32, 3, 3, 3),
              "unit4_conv": (64, 64, 1, 1, 1), "unit5_conv": (128, 64, 3, 3, 3), "pose_output": (2, 27648),
              "affinity_output": (1, 27648)}
    return {f"{layer}.{part}": shape if part == "weight" else shape[:1] for layer, shape in layers.items() for part in ("weight", "bias")}


def count(shape):
    total = 1
    for length in shape:
        total *= length
    return total


def random_values(seed):
    """Values that keep a network's activations near one."""
    draw = random.Random(seed)

    def of(shape):
        size = (6 * shape[0] / count(shape)) ** 0.5 * (5 if len(shape) == 2 else 1) if len(shape) > 1 else 0.1
        return array.array("f", (size * (2 * draw.random() - 1) for _ in range(count(shape)))).tobytes()
    return of


def archive(tensors, values=None):
    """values: bytes of a tensor of that shape."""
    state = {name: Tensor(Storage("storage", FloatStorage, str(k), "cpu", count(shape)), shape)
             for k, (name, shape) in enumerate(tensors.items())}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("net/data.pkl", pickled(state))
        for k, shape in enumerate(tensors.values()):
            packed.writestr(f"net/data/{k}", values(shape) if values else struct.pack("<f", 0.5 + k) * count(shape))
    return out.getvalue()


def stream(tensors):
    state = {name: Tensor(Storage("storage", FloatStorage, f"s{k}", "cpu", count(shape), None), shape)
             for k, (name, shape) in enumerate(tensors.items())}
    parts = [pickled(part) for part in (0x1950a86a20f9469cfc6c, 1001, {"protocol_version": 1001, "little_endian": True}, state,
                                        [f"s{k}" for k in range(len(tensors))])]
    return b"".join(parts) + b"".join(struct.pack("<q", count(shape)) + struct.pack("<f", 0.5 + k) * count(shape)
                                      for k, shape in enumerate(tensors.values()))
