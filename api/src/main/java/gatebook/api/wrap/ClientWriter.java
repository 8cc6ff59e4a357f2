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
 * Says messages to the client, one a line, in the order in which they come. Everything is taken at
 * once, since whoever has something to say has more to do. There are no more answers than open
 * questions; of what else the server says it is told when there is room for more.
 */
final class ClientWriter {

  private static final int ASIDES_MAX = 256;

  private final OutputStream out;
  private final Runnable onDeaf;
  private final BlockingQueue<Optional<Saying>> sayings = new LinkedBlockingQueue<>();
  private final AtomicInteger asides = new AtomicInteger();
  private final Thread thread;
  private volatile boolean isClosed;

  @SuppressWarnings("ArrayRecordComponent") // written once and never compared
  private record Saying(byte[] line, Runnable said) {}

  /** Runs {@code onDeaf} when nobody listens any longer. */
  ClientWriter(OutputStream out, Runnable onDeaf) {
    this.out = out;
    this.onDeaf = onDeaf;
    this.thread = Thread.ofPlatform().daemon().name("client-out").start(this::speak);
  }

  /** Gives an answer; {@code said} runs when it is written, or nobody listens. */
  void answer(byte[] message, Runnable said) {
    sayings.add(Optional.of(new Saying(LineReader.one(message), said)));
  }

  /** Passes on what is no answer; completed when there is room for more. */
  CompletableFuture<Boolean> aside(byte[] message) {
    CompletableFuture<Boolean> taken = new CompletableFuture<>();
    if (isClosed) {
      return CompletableFuture.completedFuture(false);
    }
    if (asides.incrementAndGet() < ASIDES_MAX) {
      taken.complete(true);
    }
    answer(
        message,
        () -> {
          asides.decrementAndGet();
          taken.complete(true);
        });
    return taken;
  }

  /** Returns when all that was to be said is, or this much time is over. */
  void close(long millisMax) throws InterruptedException {
    isClosed = true;
    sayings.add(Optional.empty());
    thread.join(millisMax);
  }

  private void speak() {
    boolean isHeard = true;
    try {
      for (var saying = sayings.take(); saying.isPresent(); saying = sayings.take()) {
        isHeard = isHeard && say(saying.get().line);
        saying.get().said.run();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
  }

  private boolean say(byte[] line) {
    try {
      out.write(line);
      out.flush();
      return true;
    } catch (IOException _) {
      onDeaf.run();
      return false;
    }
  }
}
