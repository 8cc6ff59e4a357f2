package gatebook.api.wrap;

import gatebook.api.upstream.process.LineReader;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Writes messages to the client, one a line, in their order. It queues them without blocking. The
 * number of queued answers is bounded by the open requests; for other messages the future completes
 * when there is room for more.
 */
final class ClientWriter {

  private static final int MESSAGES_MAX = 256;

  private final OutputStream out;
  private final Runnable onWriteFailure;
  private final BlockingQueue<Optional<QueuedLine>> queue = new LinkedBlockingQueue<>();
  private final AtomicInteger queuedMessages = new AtomicInteger();
  private final Thread thread;
  private volatile boolean isClosed;

  @SuppressWarnings("ArrayRecordComponent") // written once and never compared
  private record QueuedLine(byte[] line, Runnable onWritten) {}

  /** {@code onWriteFailure} runs when the client can no longer be written to. */
  ClientWriter(OutputStream out, Runnable onWriteFailure) {
    this.out = out;
    this.onWriteFailure = onWriteFailure;
    this.thread = Thread.ofPlatform().daemon().name("client-out").start(this::writeQueue);
  }

  /** Queues an answer; {@code onWritten} runs when it is written or dropped. */
  void sendAnswer(byte[] message, Runnable onWritten) {
    queue.add(Optional.of(new QueuedLine(LineReader.asLine(message), onWritten)));
  }

  /** Queues another message; completes with true when there is room for more, false once closed. */
  CompletableFuture<Boolean> send(byte[] message) {
    CompletableFuture<Boolean> accepted = new CompletableFuture<>();
    if (isClosed) {
      return CompletableFuture.completedFuture(false);
    }
    if (queuedMessages.incrementAndGet() < MESSAGES_MAX) {
      accepted.complete(true);
    }
    sendAnswer(
        message,
        () -> {
          queuedMessages.decrementAndGet();
          accepted.complete(true);
        });
    return accepted;
  }

  /** Waits until the queue is written, at most this long. */
  void close(long millisMax) throws InterruptedException {
    isClosed = true;
    queue.add(Optional.empty());
    thread.join(millisMax);
  }

  private void writeQueue() {
    boolean isWritable = true;
    try {
      for (var next = queue.take(); next.isPresent(); next = queue.take()) {
        isWritable = isWritable && write(next.get().line);
        next.get().onWritten.run();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("this thread is never interrupted", e);
    }
  }

  private boolean write(byte[] line) {
    try {
      out.write(line);
      out.flush();
      return true;
    } catch (IOException _) {
      onWriteFailure.run();
      return false;
    }
  }
}
