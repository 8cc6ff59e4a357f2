package gatebook.api.upstream.process;

import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.ResponseReader;
import gatebook.api.rpc.ResponseWriter;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.process.ChildProcess.Exit;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one program running that speaks MCP, and introduced: one that ends is started again after a
 * pause, which doubles until it has run for a while.
 */
public final class ProcessSupervisor {

  private static final Logger LOG = LoggerFactory.getLogger("gatebook.source");

  private static final int METHOD_NOT_FOUND = -32601;

  private final ChildProcess.How how;
  private final ProcessLimits processLimits;
  private final Pauses pauses;
  private final UnaryOperator<String> scrubbed;
  private final ScheduledExecutorService timer;
  private final String version;
  private final long startMillisMax;

  private final LongSupplier nanoTime = System::nanoTime;

  /** Guards what follows. */
  private final Object lock = new Object();

  private CompletableFuture<State> state = new CompletableFuture<>();
  private @Nullable StdioClient stdioClient;
  private boolean isDiscovering = true;
  private boolean isOver;
  private long pauseMillis;

  /** Whether it can be asked. */
  public sealed interface State {
    record Up(StdioClient dialogue, ServerProtocol era) implements State {}

    record Down(String reason) implements State {}
  }

  /**
   * How long it is left alone between two starts.
   *
   * @param ranMillis after how long a run the pauses begin anew
   */
  public record Pauses(long firstMillis, long longestMillis, long ranMillis) {
    public static final Pauses DEFAULT = new Pauses(1_000, 60_000, 60_000);
  }

  /**
   * Starts nothing yet.
   *
   * @param scrubbed takes secrets out of what it writes to its standard error
   * @param version what it is told of our own
   * @param startMillisMax how long it may take until it can be asked
   */
  public ProcessSupervisor(
      ChildProcess.How how,
      ProcessLimits processLimits,
      Pauses pauses,
      UnaryOperator<String> scrubbed,
      ScheduledExecutorService timer,
      String version,
      long startMillisMax) {
    this.how = how;
    this.processLimits = processLimits;
    this.pauses = pauses;
    this.scrubbed = scrubbed;
    this.timer = timer;
    this.version = version;
    this.startMillisMax = startMillisMax;
    this.pauseMillis = pauses.firstMillis();
  }

  /** How it stands, once it can be asked or it is known that it cannot. */
  public CompletableFuture<State> state() {
    synchronized (lock) {
      return state;
    }
  }

  /** Whether it can be asked now. */
  public boolean isUp() {
    return state().getNow(new State.Down("")) instanceof State.Up;
  }

  /** Starts it. */
  public void begin() {
    synchronized (lock) {
      if (isOver) {
        return;
      }
      if (state.isDone()) {
        state = new CompletableFuture<>();
      }
      start(state);
    }
  }

  private void start(CompletableFuture<State> starting) {
    StdioClient begun = StdioClient.begin(how, processLimits, scrubbed, timer);
    stdioClient = begun;
    begun.listen(message -> refuse(begun, message));
    long since = nanoTime.getAsLong();
    ProcessHandshake processHandshake =
        new ProcessHandshake(
            begun, new ResponseReader(processLimits.depthMax()), timer, version, startMillisMax);
    CompletableFuture<Void> _ =
        processHandshake
            .shaken(isDiscovering)
            .thenAccept(outcome -> shaken(begun, starting, outcome));
    CompletableFuture<Void> _ =
        begun.ended().thenAccept(exit -> ended(exit, starting, nanoTime.getAsLong() - since));
  }

  private void shaken(
      StdioClient begun, CompletableFuture<State> starting, ProcessHandshake.Outcome outcome) {
    switch (outcome) {
      case ProcessHandshake.Outcome.Known(var serverProtocol) ->
          starting.complete(new State.Up(begun, serverProtocol));
      case ProcessHandshake.Outcome.Failed(var reason) -> {
        if (!begun.ended().isDone()) {
          LOG.atWarn().addKeyValue("source", how.source()).log("the handshake failed: " + reason);
        }
        starting.complete(new State.Down(reason));
        begun.stop();
      }
    }
  }

  private void ended(Exit exit, CompletableFuture<State> starting, long ranNanos) {
    long pause;
    synchronized (lock) {
      if (isOver) {
        return;
      }
      if (Duration.ofNanos(ranNanos).toMillis() >= pauses.ranMillis()) {
        pauseMillis = pauses.firstMillis();
      }
      boolean wasUp = starting.getNow(new State.Down("")) instanceof State.Up;
      // some end at a question that they do not know; they are introduced to at once next time
      isDiscovering = wasUp ? isDiscovering : !isDiscovering;
      pause = pauseMillis;
      pauseMillis = Math.min(2 * pauseMillis, pauses.longestMillis());
      State down = new State.Down(exit.words());
      starting.complete(down);
      state = CompletableFuture.completedFuture(down);
    }
    LOG.atWarn()
        .addKeyValue("source", how.source())
        .addKeyValue("pause_millis", pause)
        .log(exit.words() + ": it is started again after a pause");
    ScheduledFuture<?> _ = timer.schedule(this::begin, pause, TimeUnit.MILLISECONDS);
  }

  /** Nobody here could answer a server's own questions, but that we are there. */
  private void refuse(StdioClient begun, byte[] message) {
    if (new MessageReader(processLimits.depthMax()).read(message)
        instanceof RpcMessage.Request(var id, var method, _)) {
      boolean _ =
          begun.pass(
              method.equals("ping")
                  ? ResponseWriter.result(id, "{}")
                  : ResponseWriter.error(id, METHOD_NOT_FOUND, "Method not found", null));
    }
  }

  /** Does not start it again, and ends it when nobody waits for it, or after this much time. */
  public void retire(long millisMax) {
    StdioClient last = over();
    if (last != null) {
      last.finish(millisMax);
    }
  }

  /** Ends it; completes when it is gone. */
  public CompletableFuture<Void> end() {
    StdioClient last = over();
    if (last == null) {
      return CompletableFuture.completedFuture(null);
    }
    last.stop();
    return last.ended().thenAccept(_ -> {});
  }

  private @Nullable StdioClient over() {
    synchronized (lock) {
      isOver = true;
      state.complete(new State.Down("the source is no longer there"));
      state = CompletableFuture.completedFuture(new State.Down("the source is no longer there"));
      return stdioClient;
    }
  }
}
