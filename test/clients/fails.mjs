// Says what is wrong, on stderr, and ends with 3.
process.stderr.write('error: no tokenizer found\n');
process.exitCode = 3;
