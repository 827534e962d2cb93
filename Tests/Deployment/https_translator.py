"""Runs a command whose TRANSLATION_BASE_URL is a TLS server on loopback, started for it.

Usage: https_translator.py CERTIFICATE KEY COMMAND…
"""

import http.server
import json
import os
import ssl
import subprocess
import sys
import threading


class Translator(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        answer = {"data": {"translations": [{"translatedText": "A domani!", "model": "nmt"}]}}
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1], sys.argv[2])
with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Translator) as server:
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"https://127.0.0.1:{server.server_port}"
    done = subprocess.run(sys.argv[3:], env=os.environ | {"TRANSLATION_BASE_URL": address})
    server.shutdown()
sys.exit(done.returncode)
