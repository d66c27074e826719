"""The package is typed: mypy finds nothing, and the stub names what the module has."""

import subprocess
import sys
from pathlib import Path

import pytest
from repertoire import _native

ROOT = Path(__file__).parents[1]


def test_mypy_is_content() -> None:
    pytest.importorskip("mypy")
    ran = subprocess.run([sys.executable, "-m", "mypy", "--no-error-summary"], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_stub_names_everything_that_is_there() -> None:
    import ast

    tree = ast.parse((ROOT / "python/repertoire/_native.pyi").read_text())
    classes = {node.name: {part.name for part in node.body if isinstance(part, ast.FunctionDef)} for node in tree.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    named = {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)}
    public = {name for name in vars(_native) if not name.startswith("__")}
    assert public - {"__all__"} == (set(classes) | functions | named) - {"__version__"}
    for name, methods in classes.items():
        there = {part for part in vars(getattr(_native, name)) if not part.startswith("__")}
        assert there == {part for part in methods if not part.startswith("__")}, name
