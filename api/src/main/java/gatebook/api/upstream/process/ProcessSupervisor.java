package gatebook.api.upstream.process;

import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.MessageWriter;
import gatebook.api.rpc.ResponseReader;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.mcp.McpMethod;
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
 * Supervises one process that serves MCP. A process that ends is restarted after a pause, and the
 * pause doubles until a process has run for a while.
 */
public final class ProcessSupervisor {

  private static final Logger LOG = LoggerFactory.getLogger("gatebook.source");

  private static final int METHOD_NOT_FOUND = -32601;

  private final ChildProcess.LaunchSpec launchSpec;
  private final ProcessLimits processLimits;
  private final Pauses pauses;
  private final UnaryOperator<String> scrubbed;
  private final ScheduledExecutorService timer;
  private final String version;
  private final long startMillisMax;

  private final LongSupplier nanoTime = System::nanoTime;

  /** Guards the fields below. */
  private final Object lock = new Object();

  private CompletableFuture<State> state = new CompletableFuture<>();
  private @Nullable StdioClient stdioClient;
  private boolean isDiscovering = true;
  private boolean isRetired;
  private long pauseMillis;

  /** Whether the process accepts requests. */
  public sealed interface State {
    record Up(StdioClient client, ServerProtocol protocol) implements State {}

    record Down(String reason) implements State {}
  }

  /**
   * The pauses between two starts.
   *
   * @param ranMillis how long a process must run to reset the pause
   */
  public record Pauses(long firstMillis, long longestMillis, long ranMillis) {
    public static final Pauses DEFAULT = new Pauses(1_000, 60_000, 60_000);
  }

  /**
   * Starts nothing yet.
   *
   * @param scrubbed removes secrets from its standard error
   * @param version of Gatebook, as sent to the process
   * @param startMillisMax how long the handshake may take
   */
  public ProcessSupervisor(
      ChildProcess.LaunchSpec launchSpec,
      ProcessLimits processLimits,
      Pauses pauses,
      UnaryOperator<String> scrubbed,
      ScheduledExecutorService timer,
      String version,
      long startMillisMax) {
    this.launchSpec = launchSpec;
    this.processLimits = processLimits;
    this.pauses = pauses;
    this.scrubbed = scrubbed;
    this.timer = timer;
    this.version = version;
    this.startMillisMax = startMillisMax;
    this.pauseMillis = pauses.firstMillis();
  }

  /** The state, once the process accepts requests or has failed. */
  public CompletableFuture<State> state() {
    synchronized (lock) {
      return state;
    }
  }

  /** Whether the process accepts requests now. */
  public boolean isUp() {
    return state().getNow(new State.Down("")) instanceof State.Up;
  }

  /** Starts the process. */
  public void start() {
    synchronized (lock) {
      if (isRetired) {
        return;
      }
      if (state.isDone()) {
        state = new CompletableFuture<>();
      }
      startClient(state);
    }
  }

  private void startClient(CompletableFuture<State> starting) {
    StdioClient started = StdioClient.start(launchSpec, processLimits, scrubbed, timer);
    stdioClient = started;
    started.listen(message -> answerServerRequest(started, message));
    long since = nanoTime.getAsLong();
    ProcessHandshake processHandshake =
        new ProcessHandshake(
            started, new ResponseReader(processLimits.depthMax()), timer, version, startMillisMax);
    CompletableFuture<Void> _ =
        processHandshake
            .run(isDiscovering)
            .thenAccept(outcome -> onHandshake(started, starting, outcome));
    CompletableFuture<Void> _ =
        started.ended().thenAccept(exit -> onExit(exit, starting, nanoTime.getAsLong() - since));
  }

  private void onHandshake(
      StdioClient started, CompletableFuture<State> starting, ProcessHandshake.Outcome outcome) {
    switch (outcome) {
      case ProcessHandshake.Outcome.Known(var serverProtocol) ->
          starting.complete(new State.Up(started, serverProtocol));
      case ProcessHandshake.Outcome.Failed(var reason) -> {
        if (!started.ended().isDone()) {
          LOG.atWarn()
              .addKeyValue("source", launchSpec.source())
              .log("the handshake failed: " + reason);
        }
        starting.complete(new State.Down(reason));
        started.stop();
      }
    }
  }

  private void onExit(Exit exit, CompletableFuture<State> starting, long ranNanos) {
    long pause;
    synchronized (lock) {
      if (isRetired) {
        return;
      }
      if (Duration.ofNanos(ranNanos).toMillis() >= pauses.ranMillis()) {
        pauseMillis = pauses.firstMillis();
      }
      boolean wasUp = starting.getNow(new State.Down("")) instanceof State.Up;
      // some exit at an unknown request, so the next handshake skips server/discover
      isDiscovering = wasUp ? isDiscovering : !isDiscovering;
      pause = pauseMillis;
      pauseMillis = Math.min(2 * pauseMillis, pauses.longestMillis());
      State down = new State.Down(exit.words());
      starting.complete(down);
      state = CompletableFuture.completedFuture(down);
    }
    LOG.atWarn()
        .addKeyValue("source", launchSpec.source())
        .addKeyValue("pause_millis", pause)
        .log(exit.words() + ": it is restarted after a pause");
    ScheduledFuture<?> _ = timer.schedule(this::start, pause, TimeUnit.MILLISECONDS);
  }

  /** Answers a ping of the server, and refuses its other requests: no client can answer them. */
  private void answerServerRequest(StdioClient started, byte[] message) {
    if (MessageReader.ofSource(processLimits.depthMax()).read(message)
        instanceof RpcMessage.Request(var id, var method, _, _)) {
      boolean _ =
          started.sendRaw(
              method.equals(McpMethod.PING)
                  ? MessageWriter.result(id, "{}")
                  : MessageWriter.error(id, METHOD_NOT_FOUND, "Method not found", null));
    }
  }

  /** Stops restarting, and ends the process when its requests are done or after this time. */
  public void retire(long millisMax) {
    StdioClient current = markRetired();
    if (current != null) {
      current.stopWhenIdle(millisMax);
    }
  }

  /** Ends the process; completes when it has ended. */
  public CompletableFuture<Void> end() {
    StdioClient current = markRetired();
    if (current == null) {
      return CompletableFuture.completedFuture(null);
    }
    current.stop();
    return current.ended().thenAccept(_ -> {});
  }

  private @Nullable StdioClient markRetired() {
    synchronized (lock) {
      isRetired = true;
      state.complete(new State.Down("the source is no longer there"));
      state = CompletableFuture.completedFuture(new State.Down("the source is no longer there"));
      return stdioClient;
    }
  }
}
