"""What each extra brings, for messages that say how to get what is missing."""

from __future__ import annotations

EXTRAS: dict[str, dict[str, str]] = {
    "train": {
        "torch": "torch",
        "stable_baselines3": "stable-baselines3",
        "sb3_contrib": "sb3-contrib",
        "tensorboard": "tensorboard",
    },
    "plot": {"matplotlib": "matplotlib"},
    "render": {"PIL": "pillow", "pygame": "pygame-ce"},
    "openspiel": {"pyspiel": "open_spiel"},
    "judge": {"scipy": "scipy"},
    "report": {"jinja2": "jinja2"},
    "scale": {"ray": "ray"},
    "service": {
        "fastapi": "fastapi",
        "sqlalchemy": "sqlalchemy",
        "uvicorn": "uvicorn",
        "websockets": "websockets",
    },
    "onnx": {"onnx": "onnx", "onnxruntime": "onnxruntime"},
    "browser": {"playwright": "playwright"},
}
"""Extra, as in pyproject.toml, to what can be imported and the package it comes with."""


def advice(module: str) -> str | None:
    """How to get a module that couldn't be imported; None if no extra brings it."""
    name = module.partition(".")[0]
    for extra, brings in EXTRAS.items():
        if name in brings:
            return f"this needs {brings[name]}, which isn't installed: pip install 'fm-env[{extra}]'"
    return None
