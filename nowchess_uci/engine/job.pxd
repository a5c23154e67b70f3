# Compiled not for speed but for safety, as `threads` is: Ctrl-C must not leave a job running that nobody waits for.
