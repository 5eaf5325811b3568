"""Streams chat completions from an OpenAI-compatible server at a given rate.

locust has users, not a rate: each sends, waits for its answer, and sends again. So there are rate x period users, each of which
sends once a period (constant_pacing), and they start one gap apart: as long as no answer takes longer than the period, requests
leave at equal gaps, whatever the server does. What varies comes from a JSON file, named in TARE_LOCUST_PLAN:
url_path, bodies (gone through in turn), requests, users, processes, pacing_s, id_prefix, folder (for the records).

    TARE_LOCUST_PLAN=plan.json locust -f locustfile.py --headless -u USERS -r USERS --host URL [--processes N] HttpChat|FastHttpChat
"""

import itertools
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import gevent
from gevent.event import AsyncResult
from geventhttpclient.response import HTTPParseError
from locust import FastHttpUser, HttpUser, User, constant_pacing, events, task
from locust.env import Environment
from locust.exception import StopUser
from locust.runners import MasterRunner, Runner, WorkerRunner

PLAN: dict[str, Any] = json.loads(Path(os.environ["TARE_LOCUST_PLAN"]).read_text(encoding="utf-8"))
PERCENTILES = {"p50_ms": 0.5, "p90_ms": 0.9, "p99_ms": 0.99}
LEAD_S = 0.1
"""From the message that tells every process when to start until then."""


class Process:
    """What the users of one process share. With --processes, its users are every n-th of all."""

    runner: Runner
    start_s: AsyncResult
    records: TextIO
    ordinals: Iterator[int]
    running: int

    def begin(self, runner: Runner) -> None:
        self.runner = runner
        self.start_s = AsyncResult()
        self.records = open(Path(PLAN["folder"]) / f"records-{runner.worker_index}.jsonl", "w", encoding="utf-8")
        self.ordinals = itertools.count(runner.worker_index, PLAN["processes"])
        self.running = PLAN["users"] // PLAN["processes"]

    def user_is_done(self) -> None:
        self.running -= 1
        if self.running == 0:
            self.records.close()
            self.runner.send_message("tare_done")


process = Process()
done = itertools.count(1)


@events.init.add_listener
def on_init(environment: Environment, runner: Runner, **_: Any) -> None:
    def on_start(msg: Any, **_: Any) -> None:
        process.start_s.set(msg.data["start_s"])
        gevent.spawn_later(msg.data["start_s"] - time.perf_counter(), environment.stats.reset_all)

    def on_done(**_: Any) -> None:
        if next(done) == PLAN["processes"]:
            gevent.spawn(runner.quit)

    if not isinstance(runner, MasterRunner):
        process.begin(runner)
        runner.register_message("tare_start", on_start)
    if not isinstance(runner, WorkerRunner):
        runner.register_message("tare_done", on_done)

        @events.spawning_complete.add_listener
        def on_spawned(**_: Any) -> None:
            # perf_counter is CLOCK_MONOTONIC, the same for every process of a machine.
            runner.send_message("tare_start", {"start_s": time.perf_counter() + LEAD_S})
            if isinstance(runner, MasterRunner):
                gevent.spawn_later(LEAD_S, environment.stats.reset_all)


@events.quitting.add_listener
def on_quitting(environment: Environment, **_: Any) -> None:
    """Keeps the figures that locust prints at the end, from the functions that print them."""
    if isinstance(environment.runner, WorkerRunner):
        return
    entries = [
        {
            "name": entry.name,
            "requests": entry.num_requests,
            "failures": entry.num_failures,
            "requests_per_s": entry.total_rps,
            "mean_ms": entry.avg_response_time,
            **{name: entry.get_response_time_percentile(p) for name, p in PERCENTILES.items()},
        }
        for entry in environment.stats.entries.values()
    ]
    errors = [{"error": error.to_name(), "count": error.occurrences} for error in environment.stats.errors.values()]
    summary = {"entries": entries, "errors": errors}
    (Path(PLAN["folder"]) / "summary.json").write_text(json.dumps(summary), encoding="utf-8")


class Chat(User):
    """One stream after another. `lines` is what differs between locust's two HTTP clients."""

    abstract = True
    client: Any
    wait_time = constant_pacing(PLAN["pacing_s"])

    def lines(self, response: Any) -> Iterator[bytes]:
        raise NotImplementedError

    def on_start(self) -> None:
        self.ordinal = next(process.ordinals)
        due = process.start_s.get() + self.ordinal * PLAN["pacing_s"] / PLAN["users"]
        gevent.sleep(max(0, due - time.perf_counter()))
        # constant_pacing counts from the user's creation, which would bring users made together back into one phase.
        self._cp_last_run = time.perf_counter()

    @task
    def chat(self) -> None:
        if self.ordinal < PLAN["requests"]:
            self.send(self.ordinal)
            self.ordinal += PLAN["users"]
        if self.ordinal >= PLAN["requests"]:
            process.user_is_done()
            raise StopUser

    def send(self, ordinal: int) -> None:
        record: dict[str, Any] = {
            "request_id": f"{PLAN['id_prefix']}-{ordinal}",
            **{"response_id": None, "ok": False, "error": None, "status": None},
            **{"ttft_ns": None, "e2e_ns": None, "itl_ns": [], "output_tokens": None},
            "start_ns": time.perf_counter_ns(),
        }
        headers = {"content-type": "application/json", "x-request-id": record["request_id"]}
        body = PLAN["bodies"][ordinal % len(PLAN["bodies"])]
        with self.client.post(
            PLAN["url_path"], data=body, headers=headers, stream=True, catch_response=True
        ) as response:
            record["status"] = response.status_code
            try:
                record["error"] = self.read(response, record) if response.status_code == 200 else response_error(response)
            except (OSError, HTTPParseError, ValueError) as error:  # OSError: requests' own errors are among them
                record["error"] = f"{type(error).__name__}: {error}"
            if record["error"] is None:
                record["ok"] = True
                response.success()
            else:
                response.failure(record["error"])
        if record["ok"]:
            report("TTFT", record["ttft_ns"])
            report("E2E", record["e2e_ns"])
            # An event for every gap would be a third of all that FastHttpUser does; the gaps are in the records.
            if record["output_tokens"] > 1:
                report("TPOT", (record["e2e_ns"] - record["ttft_ns"]) / (record["output_tokens"] - 1))
        process.records.write(json.dumps(record) + "\n")

    def read(self, response: Any, record: dict[str, Any]) -> str | None:
        """Reads the stream to its end, so that the connection can be used again. Gives what was wrong with it, if anything."""
        start_ns, last_ns, ended = record["start_ns"], 0, False
        for line in self.lines(response):
            if not line.startswith(b"data:"):
                continue
            data = line[5:].strip()
            if data == b"[DONE]":
                ended = True
                continue
            event = json.loads(data)
            if event.get("error"):
                return f"error in the stream: {event['error']}"
            record["response_id"] = event.get("id")
            if event.get("usage"):
                record["output_tokens"] = event["usage"].get("completion_tokens")
            choices = event.get("choices")
            if choices and choices[0].get("delta", {}).get("content"):
                now_ns = time.perf_counter_ns()
                if last_ns == 0:
                    record["ttft_ns"] = now_ns - start_ns
                else:
                    record["itl_ns"].append(now_ns - last_ns)
                last_ns = now_ns
                record["e2e_ns"] = now_ns - start_ns
        if record["output_tokens"] is None and last_ns:
            record["output_tokens"] = len(record["itl_ns"]) + 1
        if not ended:
            return "the stream broke off before [DONE]"
        return None if last_ns else "the answer had no content"


def response_error(response: Any) -> str:
    """No answer has status 0 and an error."""
    error = getattr(response, "error", None)
    return f"HTTP {response.status_code}" if response.status_code else f"{type(error).__name__}: {error}"


def report(name: str, duration_ns: float) -> None:
    events.request.fire(
        request_type="SSE", name=name, response_time=duration_ns / 1e6, response_length=0, exception=None, context={}
    )


class HttpChat(Chat, HttpUser):
    def lines(self, response: Any) -> Iterator[bytes]:
        return response.iter_lines()


class FastHttpChat(Chat, FastHttpUser):
    def lines(self, response: Any) -> Iterator[bytes]:
        # Not iter_content(): that waits for 1024 bytes, and takes a stream that breaks off for one that ended.
        return iter(lambda: response.stream.readline(b"\n"), b"")
