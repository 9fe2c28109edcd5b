"""Relays datagrams between the two engines of remote_calls.gd for ten seconds, and prints them."""

import json
import select
import socket
import time

clients = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
clients.bind(("127.0.0.1", 47012))
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.connect(("127.0.0.1", 47011))
client = None
end = time.time() + 10
while time.time() < end:
    for ready in select.select([clients, server], [], [], 0.2)[0]:
        try:
            if ready is clients:
                data, client = clients.recvfrom(65536)
                server.send(data)
            else:
                data = server.recv(65536)
                if client:
                    clients.sendto(data, client)
            print(json.dumps({"dir": "c2s" if ready is clients else "s2c", "hex": data.hex()}), flush=True)
        except ConnectionRefusedError:
            pass  # The server does not run yet.
