"""The messages of a game that were not read yet."""

from __future__ import annotations

from collections import deque

from .messages import Message

__all__ = ["Inbox"]


class Inbox:
    """A queue with bounds. If it is full, the oldest messages leave it and are counted: a game may print without end, and a test may
    read nothing."""

    def __init__(self, most: int, most_bytes: int) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._messages: deque[Message] = deque()
        self._bytes = 0
        self.dropped = 0

    def push(self, message: Message) -> None:
        self._messages.append(message)
        self._bytes += message.size
        while len(self._messages) > self._most or (self._bytes > self._most_bytes and len(self._messages) > 1):
            self.pop()
            self.dropped += 1

    def pop(self) -> Message | None:
        if not self._messages:
            return None
        message = self._messages.popleft()
        self._bytes -= message.size
        return message

    def __len__(self) -> int:
        return len(self._messages)
