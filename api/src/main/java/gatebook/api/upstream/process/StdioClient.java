package gatebook.api.upstream.process;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.process.ChildProcess.Exit;
import gatebook.api.upstream.process.LineReader.Line;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A conversation in JSON-RPC with one program, from its start to its end. Any number of questions
 * may be open at a time: each has an id of ours, which is its progress token too, so that no two
 * askers' can be the same.
 */
public final class StdioClient {

  private static final String LISTEN = "subscriptions/listen";
  private static final String PARAMS = "params";
  private static final String RESULT = "result";
  private static final String META = "_meta";
  private static final String TOKEN = "progressToken";
  private static final String SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

  private final ChildProcess childProcess;
  private final StderrLog stderrLog;
  private final MessageReader reader;
  private final ScheduledExecutorService timer;
  private final Map<String, Asked> open = new ConcurrentHashMap<>();
  private final AtomicLong ids = new AtomicLong();
  private volatile Consumer<byte[]> listener = _ -> {};
  private volatile boolean isFinishing;

  /**
   * What is asked.
   *
   * @param params the text of an object or array
   * @param asker the token of the id by which the asker knows it; absent when nobody will look
   * @param millisMax for everything, from now to the last byte of the answer
   * @param isWithdrawn whether the program is told when nobody waits for the answer any longer
   */
  public record Question(
      String method,
      @Nullable String params,
      @Nullable String asker,
      long millisMax,
      boolean isWithdrawn) {

    /** For what is answered when there is nothing more to say. */
    public static final long UNLIMITED = Long.MAX_VALUE;
  }

  private StdioClient(
      ChildProcess.How how,
      ProcessLimits processLimits,
      UnaryOperator<String> scrubbed,
      ScheduledExecutorService timer) {
    this.stderrLog = new StderrLog(how.source(), scrubbed, System::nanoTime);
    this.reader = new MessageReader(processLimits.depthMax());
    this.timer = timer;
    this.childProcess = ChildProcess.start(how, processLimits, stderrLog, this::heard, timer);
    CompletableFuture<Exit> _ = childProcess.ended().whenComplete((exit, _) -> over(exit));
  }

  /**
   * Starts the program.
   *
   * @param scrubbed takes secrets out of what it writes to its standard error
   */
  public static StdioClient begin(
      ChildProcess.How how,
      ProcessLimits processLimits,
      UnaryOperator<String> scrubbed,
      ScheduledExecutorService timer) {
    return new StdioClient(how, processLimits, scrubbed, timer);
  }

  /** Hears what belongs to no open question, one message after the other. */
  public void listen(Consumer<byte[]> taker) {
    listener = taker;
  }

  /**
   * Asks. Cancelling the future withdraws the question.
   *
   * @param aside hears what belongs to the question and is not its answer
   */
  public CompletableFuture<RequestResult> ask(Question question, Consumer<byte[]> aside) {
    String id = Long.toString(ids.incrementAndGet());
    Asked asked = new Asked(id, question, aside);
    open.put(id, asked);
    limit(asked, question.millisMax());
    CompletableFuture<RequestResult> _ =
        asked.ending.whenComplete((requestResult, _) -> closed(asked, requestResult));
    boolean sent = childProcess.send(asked);
    if (childProcess.ended().isDone()) {
      asked.over(
          childProcess.ended().join()); // it may have ended before the question was in the list
    } else if (!sent) {
      asked.end(
          childProcess.isStopping()
              ? new RequestResult.NotConnected("the process is about to end")
              : new RequestResult.Overloaded());
    }
    return asked.ending;
  }

  private void limit(Asked asked, long millisMax) {
    if (millisMax != Question.UNLIMITED) {
      ScheduledFuture<?> limit = timer.schedule(asked::late, millisMax, TimeUnit.MILLISECONDS);
      CompletableFuture<RequestResult> _ = asked.ending.whenComplete((_, _) -> limit.cancel(false));
    }
  }

  /** Tells what wants no answer; whether there was room for it. */
  public boolean tell(String method, @Nullable String params) {
    return pass(message(null, method, params));
  }

  /** Passes on a message as it is, in one line; whether there was room for it. */
  public boolean pass(byte[] message) {
    return childProcess.send(new Told(LineReader.one(message)));
  }

  /** Completes when the program ended and all that it said was heard. */
  public CompletableFuture<Exit> ended() {
    return childProcess.ended();
  }

  /** Whether nobody waits for an answer. */
  public boolean isIdle() {
    return open.isEmpty();
  }

  /** Ends the program once nobody waits for an answer, or when this much time is over. */
  public void finish(long millisMax) {
    isFinishing = true;
    ScheduledFuture<?> limit = timer.schedule(childProcess::stop, millisMax, TimeUnit.MILLISECONDS);
    CompletableFuture<Exit> _ = childProcess.ended().whenComplete((_, _) -> limit.cancel(false));
    if (open.isEmpty()) {
      childProcess.stop();
    }
  }

  /** Ends the program: it may write its last words. */
  public void stop() {
    childProcess.stop();
  }

  /** Ends the program as this process is ended. */
  public void stopNow() {
    childProcess.stopNow();
  }

  private void heard(Line line) {
    switch (line) {
      case Line.Whole(var bytes) -> heard(bytes);
      case Line.Overlong(_, var id) ->
          question(id)
              .ifPresentOrElse(
                  asked -> asked.end(new RequestResult.Broken("the answer is too large")),
                  stderrLog::stray);
    }
  }

  private void heard(byte[] line) {
    if (LineReader.isBlank(line)) {
      return;
    }
    switch (reader.read(line)) {
      case RpcMessage.Request _ -> listener.accept(line);
      case RpcMessage.Notification(_, var params) -> notified(line, ObjectMembers.of(params));
      case RpcMessage.Unreadable(_, var id) -> answered(line, id);
    }
  }

  private void answered(byte[] line, @Nullable String id) {
    Optional<Asked> asked = question(id);
    if (asked.isPresent()) {
      asked.get().end(new RequestResult.Answered(asked.get().id, asked.get().answer(line)));
    } else if (!wasAsked(id)) {
      stderrLog.stray();
    }
  }

  /** An answer to what nobody waits for any longer is nothing to complain about. */
  private boolean wasAsked(@Nullable String id) {
    return id != null && id.matches("\\d{1,18}") && Long.parseLong(id) <= ids.get();
  }

  private Optional<Asked> question(@Nullable String id) {
    return Optional.ofNullable(id).map(open::get);
  }

  private void notified(byte[] line, ObjectMembers params) {
    Optional<Asked> progressing = question(params.json(TOKEN).orElse(null));
    Optional<Asked> subscribed = question(params.members(META).json(SUBSCRIPTION).orElse(null));
    if (progressing.isPresent()) {
      progressing.get().progress(line);
    } else if (subscribed.isPresent()) {
      subscribed.get().news(line);
    } else {
      listener.accept(line);
    }
  }

  private void over(Exit exit) {
    List.copyOf(open.values()).forEach(asked -> asked.over(exit));
  }

  private void closed(Asked asked, @Nullable RequestResult requestResult) {
    open.remove(asked.id);
    boolean isGivenUp = requestResult == null || requestResult instanceof RequestResult.TimedOut;
    if (isGivenUp && asked.isWritten() && asked.question.isWithdrawn()) {
      boolean _ = tell("notifications/cancelled", "{\"requestId\":%s}".formatted(asked.id));
    }
    if (isFinishing && open.isEmpty()) {
      childProcess.stop();
    }
  }

  private static byte[] message(@Nullable String id, String method, @Nullable String params) {
    return "{\"jsonrpc\":\"2.0\"%s,\"method\":%s%s}"
        .formatted(
            id == null ? "" : ",\"id\":" + id,
            quoted(method),
            params == null ? "" : ",\"params\":" + params)
        .getBytes(UTF_8);
  }

  /** What is written whatever comes. */
  @SuppressWarnings("ArrayRecordComponent") // written once and never compared
  private record Told(byte[] line) implements ChildProcess.Letter {
    @Override
    public int bytes() {
      return line.length;
    }

    @Override
    public Optional<byte[]> taken() {
      return Optional.of(line);
    }
  }

  private enum Stage {
    WAITING,
    WRITTEN,
    OVER
  }

  /** A question that was not answered yet. Whoever completes its ending first has decided it. */
  private static final class Asked implements ChildProcess.Letter {
    private final String id;
    private final Question question;
    private final Consumer<byte[]> aside;
    private final @Nullable String token;
    private final byte[] line;
    private final CompletableFuture<RequestResult> ending = new CompletableFuture<>();
    private Stage stage = Stage.WAITING;

    Asked(String id, Question question, Consumer<byte[]> aside) {
      this.id = id;
      this.question = question;
      this.aside = aside;
      String params = question.params();
      this.token = ObjectMembers.of(params).members(META).json(TOKEN).orElse(null);
      this.line =
          LineReader.one(
              message(
                  id,
                  question.method(),
                  params == null || token == null
                      ? params
                      : MemberSplice.with(params, List.of(META, TOKEN), id)));
    }

    @Override
    public int bytes() {
      return line.length;
    }

    @Override
    public synchronized Optional<byte[]> taken() {
      if (ending.isDone() || stage == Stage.OVER) {
        return Optional.empty();
      }
      stage = Stage.WRITTEN;
      return Optional.of(line);
    }

    synchronized boolean isWritten() {
      return stage == Stage.WRITTEN;
    }

    void end(RequestResult how) {
      ending.complete(how);
    }

    void late() {
      end(isNeverWritten() ? new RequestResult.Overloaded() : new RequestResult.TimedOut());
    }

    void over(Exit exit) {
      end(
          isNeverWritten()
              ? new RequestResult.NotConnected(exit.words())
              : new RequestResult.Broken(exit.words() + " before an answer"));
    }

    /** What was not written by now never is, so that nobody is told otherwise. */
    private synchronized boolean isNeverWritten() {
      if (stage == Stage.WAITING) {
        stage = Stage.OVER;
      }
      return stage == Stage.OVER;
    }

    /** Nobody who named no token wants to hear of it. */
    void progress(byte[] line) {
      if (token != null) {
        aside.accept(MemberSplice.with(line, List.of(PARAMS, TOKEN), token));
      }
    }

    /** That there is no more news is said of what the asker knows. */
    byte[] answer(byte[] line) {
      String asker = question.asker();
      return asker != null && question.method().equals(LISTEN) && isOfSubscription(line)
          ? MemberSplice.with(line, List.of(RESULT, META, SUBSCRIPTION), asker)
          : line;
    }

    private static boolean isOfSubscription(byte[] line) {
      return ObjectMembers.of(new String(line, UTF_8))
          .members(RESULT)
          .members(META)
          .json(SUBSCRIPTION)
          .isPresent();
    }

    void news(byte[] line) {
      String asker = question.asker();
      aside.accept(
          asker == null
              ? line
              : MemberSplice.with(line, List.of(PARAMS, META, SUBSCRIPTION), asker));
    }
  }
}
