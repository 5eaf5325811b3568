#!/usr/bin/env python3
"""Takes out of a wheel the files that a client needs, and nothing else.

usage: unpack_wheel.py WHEEL FOLDER PATTERN...
A pattern is a shell pattern of names within the wheel; its * matches slashes too. The package's METADATA always comes along.
Every file is checked against the wheel's own RECORD, so what lies in the folder afterwards is the wheel's, byte for byte.
"""

import base64
import csv
import fnmatch
import hashlib
import io
import os
import stat
import sys
import zipfile


def main():
    wheel_file, folder, *patterns = sys.argv[1:]
    patterns.append("*.dist-info/METADATA")
    with zipfile.ZipFile(wheel_file) as wheel:
        names = wheel.namelist()
        record = next(name for name in names if name.endswith(".dist-info/RECORD"))
        rows = csv.reader(io.StringIO(wheel.read(record).decode()))
        digests = {row[0]: row[1] for row in rows}
        count = 0
        for info in wheel.infolist():
            name = info.filename
            if info.is_dir() or not any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns):
                continue
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
            if (info.external_attr >> 16) & stat.S_IXUSR:
                os.chmod(path, 0o755)
            count += 1
    print(f"{count} files")


if __name__ == "__main__":
    main()
