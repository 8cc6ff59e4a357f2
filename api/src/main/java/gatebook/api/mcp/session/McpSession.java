package gatebook.api.mcp.session;

import gatebook.api.gateway.ClientChannel;
import gatebook.api.gateway.RoutingSnapshot;
import gatebook.api.http.SsePublisher;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Aside;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Introduction;
import gatebook.api.upstream.Upstream.Opening;
import gatebook.api.upstream.Upstream.Session;
import gatebook.command.rules.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future.State;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The conversation with one client, from its introduction on: a leg to each source that has such,
 * what the sources ask the client, and the streams by which it hears them.
 */
public final class McpSession {

  private static final Call INTRODUCED =
      new Call(null, "notifications/initialized", null, true, Map.of());

  private final String id;
  private final String principal;
  private final Map<String, Meeting> meetings = new ConcurrentHashMap<>();
  private final Map<String, Question> questions = new ConcurrentHashMap<>();
  private final Map<String, McpExchange> underWay = new ConcurrentHashMap<>();
  private final Map<String, ResumableStream> strands = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();

  /** What belongs to no call. */
  private final ResumableStream own = new ResumableStream("own");

  private final Map<Session, Runnable> listening = new ConcurrentHashMap<>();
  private volatile @Nullable Beginning beginning;
  private volatile boolean introduced;
  private volatile boolean closed;
  private volatile long usedNanos = System.nanoTime();

  /**
   * How the conversation began.
   *
   * @param callId of the call that it began with
   * @param asides take what a source says that belongs to no call
   */
  public record Beginning(Introduction introduction, UUID callId, Function<Source, Aside> asides) {}

  /** A source as the rules had it, and what came of introducing the client to it. */
  private record Meeting(Source source, CompletableFuture<Opening> opening) {}

  /**
   * What a source waits to hear.
   *
   * @param id the token by which the source knows it
   * @param callId of the call that it belongs to
   */
  public record Question(Source source, Session leg, String id, UUID callId) {}

  /** A source, and what came of introducing the client to it. */
  public record Met(Source source, Opening opening) {}

  McpSession(String id, String principal) {
    this.id = id;
    this.principal = principal;
  }

  public String id() {
    return id;
  }

  boolean isOf(String name) {
    return principal.equals(name);
  }

  public boolean isBegun() {
    return beginning != null;
  }

  boolean isClosed() {
    return closed;
  }

  void used() {
    usedNanos = System.nanoTime();
  }

  /** For how long nothing was under way in it. */
  long idleNanos() {
    return own.isRead() || !underWay.isEmpty() ? 0 : System.nanoTime() - usedNanos;
  }

  /** Introduces the client to sources, all at once; the conversation is begun by that. */
  CompletableFuture<List<Met>> introduce(
      Beginning newBeginning, RoutingSnapshot routingSnapshot, List<Source> sources) {
    beginning = newBeginning;
    List<CompletableFuture<Met>> met =
        sources.stream()
            .map(source ->
                meeting(routingSnapshot, source)
                    .opening
                    .thenApply(opening -> new Met(source, opening)))
            .toList();
    return CompletableFuture.allOf(met.toArray(CompletableFuture<?>[]::new))
        .thenApply(_ -> met.stream().map(CompletableFuture::join).toList());
  }

  /** Who answers for a source in this conversation. */
  Upstream upstream(RoutingSnapshot routingSnapshot, Source source) {
    Upstream outside = routingSnapshot.upstream(source);
    return beginning == null
        ? outside
        : new PendingUpstream(outside, meeting(routingSnapshot, source).opening);
  }

  /** One that came to nothing, or of which the source knows nothing any more, begins again. */
  private Meeting meeting(RoutingSnapshot routingSnapshot, Source source) {
    Meeting known = meetings.get(source.id());
    return known != null && isGood(known, source)
        ? known
        : Objects.requireNonNull(
            meetings.compute(
                source.id(),
                (_, now) ->
                    now != null && isGood(now, source) ? now : meet(routingSnapshot, source)));
  }

  private static boolean isGood(Meeting meeting, Source source) {
    return meeting.source.equals(source)
        && switch (meeting.opening.state()) {
          case RUNNING -> true;
          case FAILED, CANCELLED -> false;
          case SUCCESS ->
              switch (meeting.opening.resultNow()) {
                case Opening.Opened(var session) -> session.isOpen();
                case Opening.None() -> true;
                case Opening.Failed _ -> false;
              };
        };
  }

  private Meeting meet(RoutingSnapshot routingSnapshot, Source source) {
    Beginning began = Objects.requireNonNull(beginning, "whom nobody knows is not introduced");
    CompletableFuture<Opening> opening =
        routingSnapshot
            .upstream(source)
            .open(began.introduction)
            .thenApply(opened -> {
              if (opened instanceof Opening.Opened(var session)) {
                opened(began, source, session);
              }
              return opened;
            });
    return new Meeting(source, opening);
  }

  private void opened(Beginning began, Source source, Session session) {
    if (introduced) {
      CompletableFuture<?> _ = session.call(INTRODUCED, Aside.NOBODY);
    }
    if (own.isRead()) {
      listen(began, source, session);
    }
    if (closed) {
      session.close();
    }
  }

  private void listen(Beginning began, Source source, Session session) {
    listening.computeIfAbsent(session, it -> it.listen(began.asides.apply(source)));
  }

  /**
   * Has a reader hear what belongs to no call, or what comes of a call after the place he knows.
   * False when nothing more comes after that place: then he is not to come back.
   */
  public boolean read(SsePublisher reader, @Nullable String place) {
    used();
    if (place != null && own.place(place) < 0) {
      return strand(place).map(it -> it.read(reader, it.place(place))).orElse(false);
    }
    boolean goesOn = own.read(reader, place == null ? own.last() : own.place(place));
    Beginning began = beginning;
    if (goesOn && began != null) {
      legs().forEach(leg -> listen(began, leg.getKey(), leg.getValue()));
    }
    return goesOn;
  }

  /** He is gone; what belongs to no call is said to nobody else. */
  public void left(SsePublisher reader) {
    used();
    own.left(reader);
    strands.values().forEach(resumableStream -> resumableStream.left(reader));
    if (!own.isRead()) {
      listening
          .keySet()
          .forEach(
              session -> Optional.ofNullable(listening.remove(session)).ifPresent(Runnable::run));
    }
  }

  /** The stream of a call that a place is in; none when its call ended long ago. */
  private Optional<ResumableStream> strand(String place) {
    return strands.values().stream()
        .filter(resumableStream -> resumableStream.place(place) >= 0)
        .findFirst();
  }

  /** A stream for what belongs to one call. */
  ResumableStream newStrand() {
    ResumableStream resumableStream = new ResumableStream("c" + numbers.incrementAndGet());
    strands.put(resumableStream.name(), resumableStream);
    return resumableStream;
  }

  void forget(ResumableStream resumableStream) {
    strands.remove(resumableStream.name());
  }

  void begins(String callersId, McpExchange mcpExchange) {
    used();
    underWay.put(callersId, mcpExchange);
  }

  void ends(String callersId, McpExchange mcpExchange) {
    used();
    underWay.remove(callersId, mcpExchange);
  }

  /** A notification of the client's goes to every source that knows the client. */
  public void tellAll(String method, @Nullable String params, Map<String, String> headers) {
    introduced |= method.equals(INTRODUCED.method());
    Call call = new Call(null, method, params, true, headers);
    legs()
        .forEach(leg -> {
          CompletableFuture<?> _ = leg.getValue().call(call, Aside.NOBODY);
        });
  }

  /** The client wants no answer any more to a call that is under way. */
  public void cancel(String callersId) {
    McpExchange mcpExchange = underWay.get(callersId);
    if (mcpExchange != null) {
      mcpExchange.cancelled();
    }
  }

  /** The id, without quotes, by which the client is to know a question of a source's. */
  String named(Source source, String questionId, UUID callId) {
    String name = "gatebook-" + numbers.incrementAndGet();
    Optional<Session> leg =
        legs().filter(it -> it.getKey().equals(source)).map(Map.Entry::getValue).findFirst();
    leg.ifPresent(it -> questions.put(name, new Question(source, it, questionId, callId)));
    return name;
  }

  /** Who asked, once: a question has one answer. */
  public Optional<Question> answered(String name) {
    used();
    return Optional.ofNullable(questions.remove(name));
  }

  private Stream<Map.Entry<Source, Session>> legs() {
    return meetings.values().stream()
        .filter(meeting -> meeting.opening.state() == State.SUCCESS)
        .flatMap(meeting ->
            meeting.opening.resultNow() instanceof Opening.Opened(var session)
                ? Stream.of(Map.entry(meeting.source, session))
                : Stream.empty());
  }

  /** What belongs to no call is said, and asked, here. */
  public ClientChannel own() {
    return new Own();
  }

  private final class Own implements ClientChannel {
    @Override
    public Upstream upstream(RoutingSnapshot routingSnapshot, Source source) {
      return McpSession.this.upstream(routingSnapshot, source);
    }

    @Override
    public boolean hears() {
      return true;
    }

    @Override
    public CompletableFuture<Boolean> told(byte[] notification) {
      return own.send(notification);
    }

    @Override
    public String nameOf(Source source, RpcMessage.Request question, UUID callId) {
      return named(source, question.id(), callId);
    }

    @Override
    public CompletableFuture<Boolean> asked(String name, RpcMessage.Request question) {
      return own.send(McpExchange.rendered(name, question));
    }
  }

  /** Says goodbye to everybody. */
  void close() {
    closed = true;
    List<Session> open = new ArrayList<>(legs().map(Map.Entry::getValue).toList());
    listening.values().forEach(Runnable::run);
    listening.clear();
    open.forEach(Session::close);
    own.end();
    strands.values().forEach(ResumableStream::end);
    questions.clear();
  }
}
