#!/usr/bin/env python3
"""Benchmarks an OpenAI-compatible server: one process, asyncio and aiohttp, arrivals at a given rate.

The load test that most people write. Requests are sent on an absolute schedule (open loop), answers are streamed,
each chunk is stamped and parsed as it comes; means and percentiles go to a JSON file, with a record per request.
"""

import argparse
import asyncio
import json
import random
import sys
import time

import aiohttp

# aiohttp reads lines of up to eight times this, bytes: one that is longer fails its request.
LINE = 2**20


def arrival_times(count, rate, arrivals, cv2, seed):
    """Seconds from the start at which each request is due; the first one is due at once."""
    rng = random.Random(seed)
    times, now = [], 0.0
    for i in range(count):
        if arrivals == "constant":
            now = i / rate
        times.append(now)
        if arrivals == "poisson":
            now += rng.expovariate(rate)
        elif arrivals == "gamma":
            now += rng.gammavariate(1 / cv2, cv2 / rate)
    return times


def complaint(chunk, choice):
    """What a chunk says went wrong; None if nothing."""
    if chunk.get("error") or chunk.get("object") == "error":
        return f"error in the stream: {chunk.get('error') or chunk}"
    if choice.get("finish_reason") in ("error", "abort"):
        return f"finish_reason {choice['finish_reason']}"
    return None


def read_whole(record, answer, start):
    """Takes an answer in one piece into the record; True if it is whole."""
    choice = (answer.get("choices") or [{}])[0]
    record["error"] = complaint(answer, choice)
    if record["error"]:
        return False
    record["response_id"] = answer.get("id")
    record["output_tokens"] = (answer.get("usage") or {}).get("completion_tokens")
    if not (choice.get("message") or {}).get("content") or not record["output_tokens"]:
        record["error"] = "the answer had no content, or no count of tokens"
        return False
    record["e2e_s"] = time.perf_counter() - start
    return True


async def send(session, url, payload, request_id):
    """Sends one request and reads its stream."""
    record = {"request_id": request_id, "response_id": None, "ok": False, "error": None, "start_s": None,
              "ttft_s": None, "e2e_s": None, "itl_s": [], "output_tokens": None}
    chunks, ended = 0, False
    start = last = time.perf_counter()
    record["start_s"] = start
    try:
        async with session.post(url, json=payload, headers={"x-request-id": request_id}) as response:
            if not 200 <= response.status < 300:
                record["error"] = f"HTTP {response.status}: {(await response.text())[:200]}"
                return record
            if not payload.get("stream", True):
                record["ok"] = read_whole(record, await response.json(), start)
                return record
            async for line in response.content:
                data = line[5:].strip()
                if not line.startswith(b"data:") or not data:
                    continue
                if data == b"[DONE]":
                    ended = True
                    break
                chunk = json.loads(data)
                choice = (chunk.get("choices") or [{}])[0]
                record["error"] = complaint(chunk, choice)
                if record["error"]:
                    return record
                record["response_id"] = chunk.get("id")
                tokens = (chunk.get("usage") or {}).get("completion_tokens")
                if isinstance(tokens, int) and tokens > 0:
                    record["output_tokens"] = tokens
                ended = ended or bool(choice.get("finish_reason"))
                if (choice.get("delta") or {}).get("content"):
                    now = time.perf_counter()
                    if record["ttft_s"] is None:
                        record["ttft_s"] = now - start
                    else:
                        record["itl_s"].append(now - last)
                    last = now
                    chunks += 1
    except Exception as error:  # whatever one answer does, the others count
        record["error"] = f"{type(error).__name__}: {error}"
        return record
    if chunks == 0:
        record["error"] = "the answer had no content"
        return record
    if not ended:
        record["error"] = "the stream ended with neither [DONE] nor a finish_reason"
        return record
    if record["output_tokens"] is None:
        record["output_tokens"] = chunks
    record["e2e_s"] = last - start
    record["ok"] = True
    return record


def percentile(ordered, q):
    """As numpy.percentile does by default: linear between the two nearest values."""
    place = (len(ordered) - 1) * q / 100
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def summary(values):
    """Mean and percentiles, in ms; None where there is no value."""
    if not values:
        return {"n": 0, "mean_ms": None, "p50_ms": None, "p90_ms": None, "p99_ms": None}
    ordered = sorted(1000 * value for value in values)
    result = {"n": len(ordered), "mean_ms": sum(ordered) / len(ordered)}
    for q in (50, 90, 99):
        result[f"p{q}_ms"] = percentile(ordered, q)
    return result


async def run(args, prompts):
    url = args.base_url.rstrip("/") + "/v1/chat/completions"
    times = arrival_times(args.requests, args.rate, args.arrivals, args.cv2, args.seed)
    connector = aiohttp.TCPConnector(limit=0)
    timeout = aiohttp.ClientTimeout(total=args.timeout)
    async with aiohttp.ClientSession(connector=connector, timeout=timeout, read_bufsize=LINE) as session:
        start = time.perf_counter()
        tasks = []
        for i, due in enumerate(times):
            delay = start + due - time.perf_counter()
            if delay > 0:
                await asyncio.sleep(delay)
            payload = {
                "model": args.model,
                "messages": [{"role": "user", "content": prompts[i % len(prompts)]}],
                "max_tokens": args.output_tokens,
                "temperature": 0,
                "ignore_eos": True,
                "stream": args.stream,
            }
            if args.stream:
                payload["stream_options"] = {"include_usage": True}
            tasks.append(asyncio.create_task(send(session, url, payload, f"asyncio-{args.seed}-{i}")))
        records = await asyncio.gather(*tasks)
        duration = time.perf_counter() - start
    done = [record for record in records if record["ok"]]
    several = [record for record in done if record["output_tokens"] > 1]
    return {
        "python": sys.version.split()[0],
        "aiohttp": aiohttp.__version__,
        "requests": len(records),
        "completed": len(done),
        "failed": len(records) - len(done),
        "duration_s": duration,
        "request_rate_rps": len(done) / duration,
        "output_tokens": sum(record["output_tokens"] for record in done),
        "ttft": summary([record["ttft_s"] for record in done if record["ttft_s"] is not None]),
        "itl": summary([gap for record in done for gap in record["itl_s"]]),
        "tpot": summary([(r["e2e_s"] - r["ttft_s"]) / (r["output_tokens"] - 1) for r in several if r["ttft_s"] is not None]),
        "ntpot": summary([r["e2e_s"] / r["output_tokens"] for r in done]),
        "e2e": summary([record["e2e_s"] for record in done]),
        "records": records,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--prompts", required=True, help="JSON file: a list of prompts, used in turn")
    parser.add_argument("--requests", type=int, required=True)
    parser.add_argument("--rate", type=float, required=True, help="requests per second")
    parser.add_argument("--arrivals", choices=["constant", "poisson", "gamma"], default="poisson")
    parser.add_argument("--cv2", type=float, default=1.0, help="squared coefficient of variation of gamma gaps")
    parser.add_argument("--output-tokens", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=300, help="seconds a request may take")
    parser.add_argument("--no-stream", dest="stream", action="store_false", help="ask for answers in one piece")
    parser.add_argument("--result", required=True, help="JSON file to write")
    args = parser.parse_args()
    with open(args.prompts, encoding="utf-8") as file:
        prompts = json.load(file)
    result = asyncio.run(run(args, prompts))
    with open(args.result, "w", encoding="utf-8") as file:
        json.dump(result, file)
    print(f"{result['completed']} of {result['requests']} requests in {result['duration_s']:.2f} s", file=sys.stderr)
    if result["completed"] == 0:
        sys.exit(1)


if __name__ == "__main__":
    main()
