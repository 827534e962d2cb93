import Core

/// A function that does what its event's data says, and returns the event.
enum Probe {
  /// Returns the function's Python script.
  ///
  /// - Parameter members: fields to add to the manifest, as a JSON object.
  static func script(_ members: String = "{}") -> String {
    """
    #!/usr/bin/env python3
    import json, os, sys, time

    MANIFEST = {"contract": 1, "name": "probe", "callable": True, "worker": True,
                "timeoutSeconds": 30, "concurrency": 4}
    MANIFEST.update(json.loads('\(members)'))
    if "--describe" in sys.argv:
        print(json.dumps(MANIFEST))
        sys.exit()

    def answer(**members):
        print(json.dumps({"contract": 1, "function": "probe", **members}), flush=True)

    if "--worker" in sys.argv:
        print(json.dumps({"contract": 1, "function": "probe", "ready": True}), flush=True)
    for line in sys.stdin:
        line = json.loads(line)
        event, invocation = line.get("event", line), line.get("invocation", {})
        data = event.get("data") if isinstance(event.get("data"), dict) else {}
        begun = {"severity": "INFO", "message": "begun", "pid": os.getpid()}
        print(json.dumps(begun), file=sys.stderr, flush=True)
        if "crash" in data:
            os._exit(3)
        if "print" in data:
            print(data["print"], flush=True)
            continue
        if "sleep" in data:
            time.sleep(data["sleep"])
        while "until" in data and not os.path.exists(data["until"]):
            print("\\n".join(1000 * ['{"partial":{}}']), flush=True)
        if "gate" in data:
            open(data["gate"]).close()
        if invocation.get("streaming"):
            for number in range(2):
                answer(eventId=invocation["id"], partial={"number": number})
        if "exit" in data:
            answer(status="error", exitCode=data["exit"],
                   error={"code": data["code"], "message": data.get("message", "as asked"),
                          "retryAfterMs": data.get("retryAfterMs", 2500),
                          "limit": data.get("limit"),
                          "callerMessage": data.get("callerMessage")})
        else:
            answer(status="ok", exitCode=0, result={"event": event, "invocation": invocation},
                   **data.get("report", {}))

    """
  }
}
