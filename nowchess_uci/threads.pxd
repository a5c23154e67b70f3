# Compiled not for speed but for safety: Ctrl-C is heard between two lines of Python, and between none of C. So nothing
# here is left half done.
