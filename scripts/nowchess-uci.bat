@echo off
rem The same as nowchess-uci beside it, for Windows.
setlocal
set "python=%~dp0..\.venv\Scripts\python.exe"
if not exist "%~dp0..\.venv\nowchess-fingerprint" set "python=py"
"%python%" "%~dp0run.py" %*
