# evalcore as a container: as a user who may do nothing else, for folders that are mounted read-only.
# The dashboard listens on 127.0.0.1 of the container, so that a published port reaches nothing: with
# `--network host` that is 127.0.0.1 of this machine. Commands need no network at all.
FROM python:3.12-slim AS build
WORKDIR /source
COPY pyproject.toml constraints.txt README.md LICENSE app.py ./
COPY .streamlit/config.toml .streamlit/
COPY pages pages
COPY evalcore evalcore
RUN python -m venv /opt/evalcore \
    && /opt/evalcore/bin/pip install --no-cache-dir -c constraints.txt ".[pictures]"

FROM python:3.12-slim
COPY --from=build /opt/evalcore /opt/evalcore
# Whoever it runs as (--user) may keep state here; a volume or tmpfs in its place is as good.
RUN install -d -m 1777 /var/evalcore
ENV PATH=/opt/evalcore/bin:$PATH HOME=/var/evalcore
WORKDIR /var/evalcore
USER 10001:10001
ENTRYPOINT ["evalcore"]
CMD ["--help"]
