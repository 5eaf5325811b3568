#!/usr/bin/env python3
"""Takes out of a vllm wheel what its serving benchmark needs, and nothing else: Python sources and the Rust binary.

usage: unpack.py WHEEL FOLDER
Every file is checked against the wheel's own RECORD, so what lies in the folder afterwards is the wheel's, byte for byte.
"""

import base64
import csv
import hashlib
import io
import os
import sys
import zipfile


def wanted(name):
    return (name.startswith("vllm/") and name.endswith(".py")) or name == "vllm/vllm-rs" or name.endswith(".dist-info/METADATA")


def main():
    wheel_file, folder = sys.argv[1:]
    with zipfile.ZipFile(wheel_file) as wheel:
        record = next(name for name in wheel.namelist() if name.endswith(".dist-info/RECORD"))
        rows = csv.reader(io.StringIO(wheel.read(record).decode()))
        digests = {row[0]: row[1] for row in rows}
        count = 0
        for name in filter(wanted, wheel.namelist()):
            data = wheel.read(name)
            digest = "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            if digests.get(name) != digest:
                sys.exit(f"{name} does not match the wheel's RECORD")
            path = os.path.normpath(os.path.join(folder, name))
            if not path.startswith(os.path.normpath(folder) + os.sep):
                sys.exit(f"{name} would leave the folder")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(data)
            count += 1
    binary = os.path.join(folder, "vllm", "vllm-rs")
    if os.path.exists(binary):
        os.chmod(binary, 0o755)
    print(f"{count} files")


if __name__ == "__main__":
    main()
