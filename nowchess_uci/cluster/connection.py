"""The way to a scheduler: a running one at an address, or one of our own with workers on this machine.

Who may connect, and with which certificates, is a matter of Dask's configuration. Dask is imported here, when needed.
"""

import contextlib
import logging
import re
import signal
import sys
from collections.abc import Iterator
from typing import Any

from nowchess_uci.engine.machine import processors

LOCAL = "local"
ADDRESS = re.compile(r"(tcp|tls)://(\[[0-9a-fA-F:.%]+\]|[^\s/:\[\]]+):[0-9]{1,5}")
CONNECT_SECONDS = 10


class ClusterError(Exception):
    """There is no cluster, or no longer."""


def parse_address(text: str) -> str:
    """The address of a scheduler, or `local`; raises ValueError."""
    if text != LOCAL and not ADDRESS.fullmatch(text):
        raise ValueError(f"{text!r} is no address of a scheduler; expected tcp://HOST:PORT, tls://HOST:PORT or {LOCAL}")
    return text


def connect(address: str, workers: int | None, resources: contextlib.ExitStack) -> Any:
    """A client of Dask's; what has to be closed in the end goes to the resources. Raises ClusterError."""
    distributed = import_distributed()
    security = distributed.Security()  # as Dask's configuration has it
    try:
        has_certificates = security.get_connection_args("client").get("ssl_context") is not None
    except (OSError, ValueError) as error:
        raise ClusterError(f"the certificates that Dask's configuration names cannot be used: {error}") from error
    if address.startswith("tls:") and not has_certificates:
        raise ClusterError("TLS needs certificates, and Dask's configuration names none: see docs/cluster.md")
    if address.startswith("tcp:") and security.require_encryption:
        raise ClusterError("Dask's configuration requires encryption: use tls:// in place of tcp://")
    if address == LOCAL:
        address = start_local(workers, security, resources)
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS, security=security, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        raise ClusterError(f"no scheduler answers at {address}: {error}") from error
    resources.callback(client.close, timeout=CONNECT_SECONDS)
    return client


def start_local(workers: int | None, security: Any, resources: contextlib.ExitStack) -> str:
    """Start a scheduler in this process and workers in processes of their own, all on loopback; its address."""
    import tempfile

    import dask
    from distributed import LocalCluster

    folder = resources.enter_context(tempfile.TemporaryDirectory(prefix="nowchess-cluster-"))
    try:
        with dask.config.set({"temporary-directory": folder}), handing_on_no_ctrl_c():
            cluster = LocalCluster(
                n_workers=workers or processors(),
                threads_per_worker=1,
                host="127.0.0.1",
                protocol="tls" if security.require_encryption else "tcp",
                security=security,
                dashboard_address="127.0.0.1:0",
                worker_dashboard_address="127.0.0.1:0",
                memory_limit=0,
                silence_logs=logging.CRITICAL,
            )
    except (OSError, RuntimeError) as error:
        raise ClusterError(f"no workers could be started: {error}") from error
    resources.callback(cluster.close, timeout=CONNECT_SECONDS)
    return str(cluster.scheduler_address)


@contextlib.contextmanager
def handing_on_no_ctrl_c() -> Iterator[None]:
    """Threads that are begun meanwhile, and processes that these start at any time, do not hear Ctrl-C.

    A terminal sends it to all processes of a command, but it is for us to end the others.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # whoever starts it later would hear Ctrl-C again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def import_distributed() -> Any:
    """Dask, which is needed for nothing else; raises ClusterError if it is not there."""
    if getattr(sys, "frozen", False):
        raise ClusterError("this executable cannot use a cluster; install NowChess UCI as a Python package for that")
    try:
        import distributed
    except ImportError as error:
        raise ClusterError(f"a cluster needs dask.distributed ({error}): pip install 'nowchess-uci[cluster]'") from None
    for name in ("distributed", "distributed.client"):  # what happens is told in our own words, without tracebacks
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return distributed
