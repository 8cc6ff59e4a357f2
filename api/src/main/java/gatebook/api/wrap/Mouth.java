package gatebook.api.wrap;

import gatebook.api.upstream.process.Lines;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

/**
 * Says messages to the client, one a line, in the order in which they come. Answers are taken at
 * once, since whoever gives one has more to do; there are no more of them than open questions. What
 * else the server says waits until there is room, and the server with it.
 */
final class Mouth {

  private static final int ASIDES_MAX = 256;

  private final OutputStream out;
  private final Runnable onDeaf;
  private final BlockingQueue<Optional<Saying>> sayings = new LinkedBlockingQueue<>();
  private final Semaphore room = new Semaphore(ASIDES_MAX);
  private final Thread thread;
  private volatile boolean isClosed;

  @SuppressWarnings("ArrayRecordComponent") // written once and never compared
  private record Saying(byte[] line, Runnable said) {}

  /** Runs {@code onDeaf} when nobody listens any longer. */
  Mouth(OutputStream out, Runnable onDeaf) {
    this.out = out;
    this.onDeaf = onDeaf;
    this.thread = Thread.ofPlatform().daemon().name("client-out").start(this::speak);
  }

  /** Gives an answer; {@code said} runs when it is written, or nobody listens. */
  void answer(byte[] message, Runnable said) {
    sayings.add(Optional.of(new Saying(Lines.one(message), said)));
  }

  /** Passes on what is no answer; waits for room while anything is said at all. */
  void aside(byte[] message) {
    room.acquireUninterruptibly();
    if (isClosed) {
      room.release();
    } else {
      answer(message, room::release);
    }
  }

  /** Returns when all that was to be said is, or this much time is over. */
  void close(long millisMax) throws InterruptedException {
    isClosed = true;
    sayings.add(Optional.empty());
    thread.join(millisMax);
    room.release(ASIDES_MAX); // whoever waits for room waits for nothing
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
