package gatebook.api.upstream.agent.client;

import gatebook.api.dialect.A2aMethod;
import gatebook.api.upstream.agent.client.AgentOutcome.Failed;
import gatebook.api.upstream.agent.client.AgentOutcome.Success;
import gatebook.api.upstream.http.ConnectionPool;
import gatebook.api.upstream.http.ConnectionTls;
import io.netty.channel.EventLoopGroup;
import java.net.URI;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Client of one agent that speaks A2A 0.3 or 1.0 over JSON-RPC.
 *
 * <p>The card says which version the agent speaks, and {@link #endpoint} chooses one. Params and
 * results are the texts of JSON objects in the shape of that version; params must have been read
 * from a message, or be known to be JSON. Every failure is a value. Cancelling a future closes the
 * connection of its request, and no attempt follows.
 */
public final class AgentClient implements AutoCloseable {

  private final URI url;
  private final AgentSettings settings;
  private final ConnectionPool connectionPool;
  private final AgentExchange agentExchange;

  /**
   * Opens no connection yet.
   *
   * @param url of the agent, with scheme and host
   * @param headers sent with every request, such as the agent's credentials
   * @param tls for an {@code https} address
   */
  public AgentClient(
      URI url,
      Map<String, String> headers,
      AgentSettings settings,
      EventLoopGroup loops,
      ConnectionTls tls) {
    Objects.requireNonNull(url.getHost(), "the URL of an agent has a host");
    this.url = url;
    this.settings = settings;
    this.connectionPool = new ConnectionPool(url, settings.limits().connections(), tls, loops);
    this.agentExchange =
        new AgentExchange(
            connectionPool,
            headers,
            settings.limits(),
            new AnswerReader(settings.limits(), settings.timing().clock()));
  }

  /** Gets the agent's card from the first well-known address that has one. */
  public CompletableFuture<AgentOutcome<AgentCard>> fetchCard(AgentCallOptions options) {
    RequestTime time = options.timeOrNow();
    return new CardSearch(path -> fetchCard(path, options, time)).start(CardSearch.paths(url));
  }

  private CompletableFuture<AgentOutcome<AgentCard>> fetchCard(
      String path, AgentCallOptions options, RequestTime time) {
    return retried(
        options,
        () -> time.leftMillis(settings.limits().timeouts(false)),
        true,
        () -> agentExchange.card(path, options, time));
  }

  /** The endpoint to use by this card; empty when the card names no version spoken here. */
  public Optional<AgentEndpoint> endpoint(AgentCard card) {
    return AgentEndpoint.of(card, url);
  }

  /** Sends a message; it is retried only when no byte of it was written. */
  public CompletableFuture<AgentOutcome<AgentItem>> sendMessage(
      AgentEndpoint endpoint, String params, SendMode sendMode, AgentCallOptions options) {
    return prepared(
        A2aMethod.SEND,
        endpoint,
        params,
        request ->
            call(
                request.in(sendMode),
                options,
                json -> AgentItemReader.sent(request.version(), json)));
  }

  /** Sends a message and passes on the stream of its items. */
  public CompletableFuture<AgentOutcome<StreamEnd>> sendStreamingMessage(
      AgentEndpoint endpoint,
      String params,
      AgentStreamListener listener,
      AgentCallOptions options) {
    return prepared(
        A2aMethod.STREAM, endpoint, params, request -> stream(request, listener, options));
  }

  /** Gets the task that the params name. */
  public CompletableFuture<AgentOutcome<AgentItem>> getTask(
      AgentEndpoint endpoint, String params, AgentCallOptions options) {
    return prepared(A2aMethod.GET, endpoint, params, request -> task(request, options));
  }

  /** Lists tasks, which only version 1.0 can. */
  public CompletableFuture<AgentOutcome<TaskPage>> listTasks(
      AgentEndpoint endpoint, String params, AgentCallOptions options) {
    return prepared(
        A2aMethod.LIST,
        endpoint,
        params,
        request -> call(request, options, json -> AgentItemReader.page(request.version(), json)));
  }

  /** Cancels the task that the params name. */
  public CompletableFuture<AgentOutcome<AgentItem>> cancelTask(
      AgentEndpoint endpoint, String params, AgentCallOptions options) {
    return prepared(A2aMethod.CANCEL, endpoint, params, request -> task(request, options));
  }

  /** Passes on the further items of the task that the params name. */
  public CompletableFuture<AgentOutcome<StreamEnd>> subscribeToTask(
      AgentEndpoint endpoint,
      String params,
      AgentStreamListener listener,
      AgentCallOptions options) {
    return prepared(
        A2aMethod.SUBSCRIBE, endpoint, params, request -> stream(request, listener, options));
  }

  /** The number of connections that are open or being opened. */
  public int connections() {
    return connectionPool.connections();
  }

  /** Closes idle connections now, and the others when their requests are done. */
  @Override
  public void close() {
    connectionPool.retire();
  }

  private static <T> CompletableFuture<AgentOutcome<T>> prepared(
      A2aMethod method,
      AgentEndpoint endpoint,
      String params,
      Function<AgentRequest, CompletableFuture<AgentOutcome<T>>> send) {
    return switch (AgentRequest.of(method, endpoint, params)) {
      case Success<AgentRequest>(var request) -> send.apply(request);
      case Failed<AgentRequest>(var failure) ->
          CompletableFuture.completedFuture(AgentOutcome.failed(failure));
    };
  }

  /** A task with another id may be another caller's: it is no answer. */
  private CompletableFuture<AgentOutcome<AgentItem>> task(
      AgentRequest request, AgentCallOptions options) {
    return call(
        request,
        options,
        json -> {
          AgentOutcome<AgentItem> read = AgentItemReader.task(request.version(), json);
          return read instanceof Success<AgentItem>(var task)
                  && !Objects.equals(task.taskId(), request.taskId())
              ? AgentOutcome.invalid("the answer is another task")
              : read;
        });
  }

  private <T> CompletableFuture<AgentOutcome<T>> call(
      AgentRequest request, AgentCallOptions options, Function<String, AgentOutcome<T>> result) {
    RequestTime time = options.timeOrNow();
    return retried(
        options,
        left(request, time),
        request.method().isIdempotent(),
        () -> agentExchange.call(request, options, time, result));
  }

  private CompletableFuture<AgentOutcome<StreamEnd>> stream(
      AgentRequest request, AgentStreamListener listener, AgentCallOptions options) {
    RequestTime time = options.timeOrNow();
    return retried(
        options,
        left(request, time),
        request.method().isIdempotent(),
        () -> agentExchange.stream(request, options, time, listener));
  }

  private LongSupplier left(AgentRequest request, RequestTime time) {
    return () -> time.leftMillis(settings.limits().timeouts(request.method().sendsMessage()));
  }

  private <T> CompletableFuture<AgentOutcome<T>> retried(
      AgentCallOptions options,
      LongSupplier leftMillis,
      boolean idempotent,
      Supplier<CompletableFuture<AttemptResult<T>>> attempt) {
    return new RetriedRequest<>(
            settings, options.attemptListener(), leftMillis, idempotent, attempt)
        .start();
  }
}
