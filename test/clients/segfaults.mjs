// Dies by SIGSEGV.
process.kill(process.pid, 'SIGSEGV');
