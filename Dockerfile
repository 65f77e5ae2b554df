# Both commands, from the wheel:
#   pip wheel . --no-deps -w dist && docker build -t kafka-assignments .
FROM python:3.11-slim
COPY requirements-page.txt dist/kafka_assignments-*.whl /tmp/
RUN python -m pip install --no-cache-dir -r /tmp/requirements-page.txt && python -m pip install --no-cache-dir --no-deps /tmp/kafka_assignments-*.whl && rm /tmp/requirements-page.txt /tmp/kafka_assignments-*.whl
RUN useradd --system --create-home assignments
USER assignments
WORKDIR /home/assignments
EXPOSE 8501 9308
HEALTHCHECK NONE
ENTRYPOINT ["kafka-assignments"]
CMD ["dashboard", "--server.address=0.0.0.0", "--server.port=8501", "--server.headless=true"]
