#!/bin/sh
# Leaves a process without the environment, the session and the parent that it came with; all that it keeps is the output.
# $1: how long it sleeps, which tells it apart from others.
env -i PATH="$PATH" setsid --fork sleep "$1"
