package gatebook.api.console;

import gatebook.api.http.HttpError;
import gatebook.api.http.HttpErrors;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Serves the pages and assets of the console. They are the same for everyone and hold no data, so
 * they need no token.
 */
@Controller
final class ConsoleController {
  private final HttpErrors errors;
  private final Executor blockingExecutor;
  private @Nullable CompletableFuture<ConsoleFiles> files;

  ConsoleController(HttpErrors errors, @Named(TaskExecutors.BLOCKING) ExecutorService mayBlock) {
    this.errors = errors;
    this.blockingExecutor = mayBlock;
  }

  @Get("/")
  @Produces(MediaType.ALL)
  CompletableFuture<HttpResponse<?>> home(HttpRequest<?> request) {
    return serve(request);
  }

  @Get("/console/{+path}")
  @Produces(MediaType.ALL)
  CompletableFuture<HttpResponse<?>> pageOrAsset(HttpRequest<?> request) {
    return serve(request);
  }

  private CompletableFuture<HttpResponse<?>> serve(HttpRequest<?> request) {
    return files()
        .thenApply(all ->
            all.at(request.getPath())
                .<HttpResponse<?>>map(file -> response(request, file))
                .orElseGet(() -> errors.response(request, HttpError.NOT_FOUND)));
  }

  /**
   * Only the first request waits until the files are loaded; after a failure, the next one does.
   */
  private synchronized CompletableFuture<ConsoleFiles> files() {
    if (files == null || files.isCompletedExceptionally()) {
      files = CompletableFuture.supplyAsync(ConsoleFiles::load, blockingExecutor);
    }
    return files;
  }

  private static HttpResponse<?> response(HttpRequest<?> request, ConsoleFile file) {
    HttpHeaders headers = request.getHeaders();
    ConsoleFile.Representation representation =
        file.gzip()
            .filter(_ -> ClientCache.acceptsGzip(headers.getAll(HttpHeaders.ACCEPT_ENCODING)))
            .orElse(file.plain());
    MutableHttpResponse<byte[]> response =
        ClientCache.has(representation.tag(), headers.getAll(HttpHeaders.IF_NONE_MATCH))
            ? HttpResponse.status(HttpStatus.NOT_MODIFIED)
            : body(representation).header(HttpHeaders.CONTENT_TYPE, file.type());
    return response
        .header(HttpHeaders.ETAG, representation.tag())
        .header(HttpHeaders.CACHE_CONTROL, "no-cache")
        .header(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
  }

  private static MutableHttpResponse<byte[]> body(ConsoleFile.Representation representation) {
    MutableHttpResponse<byte[]> response =
        HttpResponse.ok(representation.bytes()).contentLength(representation.bytes().length);
    return representation.isGzip()
        ? response.header(HttpHeaders.CONTENT_ENCODING, "gzip")
        : response;
  }
}
