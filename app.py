"""The dashboard: the guarded application for a server, the start page for a browser."""

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

if get_script_run_ctx(suppress_warning=True) is None:
    from starlette.middleware import Middleware

    from evalcore.server import require_local
    from pages.parts.access.gate import GATE
    from pages.parts.access.guard import Guard
    from pages.parts.access.owner import take_tokens
    from pages.parts.last_messages import deliver_before_next_run
    from pages.parts.warm import failed, warm_up

    require_local(st.get_option("server.address") or "every address")
    take_tokens(GATE)
    deliver_before_next_run()
    guard_middleware = Middleware(Guard, gate=GATE)
    app = st.App(__file__, middleware=[guard_middleware], on_script_error=failed, lifespan=warm_up)
else:
    from pages.parts.frame import start_page

    start_page()
