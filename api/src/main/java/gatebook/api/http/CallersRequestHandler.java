package gatebook.api.http;

import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.body.ByteBody;
import io.micronaut.http.body.CloseableByteBody;
import io.micronaut.http.netty.NettyMutableHttpResponse;
import io.micronaut.http.netty.body.NettyByteBodyFactory;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration;
import io.micronaut.http.server.netty.handler.OutboundAccess;
import io.micronaut.http.server.netty.handler.RequestHandler;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the requests at the callers' port, at the end of the pipeline of each connection: keeps
 * the rules, finds what answers the path and writes its response.
 */
final class CallersRequestHandler implements RequestHandler {

  private static final Logger LOG = LoggerFactory.getLogger(CallersRequestHandler.class);

  private final RequestRules rules;
  private final CallersPaths paths;
  private final HttpErrors errors;
  private final ConversionService conversionService;
  private final NettyHttpServerConfiguration configuration;
  private final BooleanSupplier isLeaving;

  /**
   * @param isLeaving whether clients are to leave, each after its next response
   */
  CallersRequestHandler(
      RequestRules rules,
      CallersPaths paths,
      HttpErrors errors,
      ConversionService conversionService,
      NettyHttpServerConfiguration configuration,
      BooleanSupplier isLeaving) {
    this.rules = rules;
    this.paths = paths;
    this.errors = errors;
    this.conversionService = conversionService;
    this.configuration = configuration;
    this.isLeaving = isLeaving;
  }

  @Override
  public void accept(
      ChannelHandlerContext context,
      io.netty.handler.codec.http.HttpRequest head,
      CloseableByteBody body,
      OutboundAccess out) {
    NettyHttpRequest<?> request = request(context, head, body);
    out.attachment(request);
    CompletableFuture<?> _ =
        started(request)
            .whenComplete((response, failure) -> {
              if (failure == null) {
                write(out, request, response);
              } else {
                fail(out, request, failure);
              }
            });
  }

  private CompletableFuture<HttpResponse<?>> started(HttpRequest<?> request) {
    try {
      return answer(request);
    } catch (RuntimeException | Error failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  private void fail(OutboundAccess out, NettyHttpRequest<?> request, Throwable failure) {
    CompletableFuture<?> _ =
        CompletableFuture.completedFuture(failure)
            .thenCompose(it -> paths.fail(request, it))
            .exceptionally(it -> errors.unforeseen(request, it))
            .thenAccept(response -> write(out, request, response))
            .exceptionally(again -> {
              close(request, again);
              return null;
            });
  }

  /** For a request with an invalid URI, one that is known to be unreadable. */
  private NettyHttpRequest<?> request(
      ChannelHandlerContext context,
      io.netty.handler.codec.http.HttpRequest head,
      CloseableByteBody body) {
    try {
      return new NettyHttpRequest<>(head, body, context, conversionService, configuration);
    } catch (IllegalArgumentException _) {
      body.close();
      return new NettyHttpRequest<>(
          new DefaultHttpRequest(head.protocolVersion(), head.method(), "/"),
          NettyByteBodyFactory.empty(),
          context,
          conversionService,
          configuration);
    }
  }

  private CompletableFuture<HttpResponse<?>> answer(HttpRequest<?> request) {
    Optional<HttpError> refusal = rules.refusal(request);
    if (refusal.isPresent()) {
      return CompletableFuture.completedFuture(errors.response(request, refusal.get()));
    }
    Optional<PathMethods> path = paths.find(request);
    return path.isPresent()
        ? answer(request, path.get()).thenApply(CallersRequestHandler::dated)
        : CompletableFuture.completedFuture(errors.response(request, HttpError.NOT_FOUND));
  }

  private CompletableFuture<HttpResponse<?>> answer(HttpRequest<?> request, PathMethods path) {
    Optional<PathMethods.Action> action = path.find(request.getMethod());
    if (action.isEmpty()) {
      return CompletableFuture.completedFuture(errors.notAllowed(request, path.allowed()));
    }
    return path.isAcceptable(request)
        ? action.get().answer(request)
        : CompletableFuture.completedFuture(errors.response(request, HttpStatus.NOT_ACCEPTABLE));
  }

  private static HttpResponse<?> dated(HttpResponse<?> response) {
    return response.toMutableResponse().header(HttpHeaderNames.DATE, HttpDate.now());
  }

  private void write(OutboundAccess out, NettyHttpRequest<?> request, HttpResponse<?> response) {
    try {
      writeTo(out, request, response);
    } catch (RuntimeException | Error failure) {
      close(request, failure);
    }
  }

  private static void close(NettyHttpRequest<?> request, Throwable failure) {
    LOG.atError().setCause(failure).log("a response could not be written");
    var _ = request.getChannelHandlerContext().close();
  }

  private void writeTo(OutboundAccess out, NettyHttpRequest<?> request, HttpResponse<?> response) {
    io.netty.handler.codec.http.HttpResponse head =
        NettyMutableHttpResponse.toNoBodyResponse(response);
    if (isLeaving.getAsBoolean() || request.getNativeRequest().decoderResult().isFailure()) {
      out.closeAfterWrite();
    }
    if (request.getMethod() == HttpMethod.HEAD) {
      out.writeHeadResponse(
          new DefaultHttpResponse(head.protocolVersion(), head.status(), head.headers()));
    } else {
      out.write(head, body(request.getChannelHandlerContext().channel(), response.body()));
    }
  }

  private static ByteBody body(Channel channel, @Nullable Object body) {
    return switch (body) {
      case null -> NettyByteBodyFactory.empty();
      case byte[] bytes -> new NettyByteBodyFactory(channel).adapt(Unpooled.wrappedBuffer(bytes));
      case SsePublisher events ->
          // the reader may be gone before it subscribes
          new NettyByteBodyFactory(channel)
              .adapt(Publishers.map(events, Unpooled::wrappedBuffer), null, events::cancel);
      default -> throw new IllegalArgumentException("no body of a response: " + body.getClass());
    };
  }

  @Override
  public void responseWritten(@Nullable Object request) {
    if (request instanceof NettyHttpRequest<?> written) {
      written.release();
    }
  }

  @Override
  public void handleUnboundError(Throwable failure) {
    if (failure instanceof IOException || failure.getCause() instanceof SSLException) {
      LOG.atDebug().setCause(failure).log("a connection broke between requests");
    } else {
      LOG.atError().setCause(failure).log("unforeseen failure of a connection between requests");
    }
  }
}
