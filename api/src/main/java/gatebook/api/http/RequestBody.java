package gatebook.api.http;

import gatebook.api.memory.InFlightMemory;
import gatebook.api.memory.MemoryReservation;
import gatebook.api.rpc.ContentType;
import gatebook.command.redact.Scrubber;
import gatebook.events.call.TextPrefix;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Malformed.ParseDefect;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.ServerHttpRequest;
import io.micronaut.http.body.AvailableByteBody;
import io.micronaut.http.body.ByteBody;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * The body of a request: its bytes, or the fault for which they are not read as a message.
 *
 * @param sizeBytes how much of it was received
 * @param memory the memory reserved for it, which each user of the body holds
 * @param isOverload whether there is no memory for it now
 */
@SuppressWarnings("ArrayRecordComponent") // read once and never compared
public record RequestBody(
    byte[] bytes,
    long sizeBytes,
    @Nullable Malformed fault,
    MemoryReservation memory,
    boolean isOverload) {

  /** How much of a larger body is read and dropped, so that its sender gets the response. */
  static final long DRAINED_BYTES_MAX = 64L << 20;

  private static final byte[] EMPTY = {};
  private static final int ENCODING_CHARS_MAX = 128;
  private static final ContentType.Accepted ACCEPTED =
      new ContentType.Accepted(
          Set.of("application/json", "application/vscode-jsonrpc"), Set.of("utf-8", "utf8"));

  /** Room for a body of unknown size, which then grows. */
  private static final int UNKNOWN_BYTES = 1 << 10;

  /**
   * Reads the body without blocking a thread, and never keeps more of it than a message may have.
   * The memory for a body whose size is declared is reserved before it is read, for any other while
   * it is read.
   *
   * @param bytesMax the largest message
   */
  public static CompletableFuture<RequestBody> of(HttpRequest<?> request, long bytesMax) {
    return of(request, bytesMax, wrongType(request.getHeaders().get("Content-Type")));
  }

  /** The same for a body that is no message, whatever type it is declared to have. */
  public static CompletableFuture<RequestBody> ofAnyType(HttpRequest<?> request, long bytesMax) {
    return of(request, bytesMax, null);
  }

  private static CompletableFuture<RequestBody> of(
      HttpRequest<?> request, long bytesMax, @Nullable Malformed wrongType) {
    List<String> encodings = encodings(request.getHeaders());
    Malformed wrongEncoding = encodings.isEmpty() ? null : wrongEncoding(encodings);
    Malformed wrong = wrongEncoding == null ? wrongType : wrongEncoding;
    return collected(
            ((ServerHttpRequest<?>) request).byteBody(), bytesMax, OpenRequests.memoryOf(request))
        .thenApply(requestBody ->
            wrong == null || requestBody.isBroken() || requestBody.isOverload
                ? requestBody.decoded(encodings, bytesMax)
                : requestBody.wrong(wrong));
  }

  /** A body that is here already, from a caller without a connection of its own. */
  public static RequestBody of(byte[] bytes) {
    return new RequestBody(
        bytes, bytes.length, null, InFlightMemory.OF_PROCESS.openUnheld(), false);
  }

  private RequestBody decoded(List<String> encodings, long bytesMax) {
    if (fault != null || isOverload || encodings.isEmpty()) {
      return this;
    }
    return switch (CompressedBody.decode(bytes, encodings.getFirst(), bytesMax, memory)) {
      case CompressedBody.Result.Decoded(var decoded) ->
          new RequestBody(decoded, sizeBytes, null, memory, false);
      case CompressedBody.Result.TooLarge() -> wrong(new Malformed.Oversize(bytesMax, null));
      case CompressedBody.Result.Broken() ->
          wrong(new Malformed.ParseError(ParseDefect.BAD_COMPRESSION, null));
      case CompressedBody.Result.Overloaded() -> overload(memory);
    };
  }

  private RequestBody wrong(Malformed wrong) {
    return new RequestBody(EMPTY, sizeBytes, wrong, memory, false);
  }

  private static RequestBody overload(MemoryReservation memory) {
    return new RequestBody(EMPTY, 0, null, memory, true);
  }

  /** Whether the body did not arrive whole; then its headers do not matter. */
  private boolean isBroken() {
    return switch (fault) {
      case Malformed.LengthMismatch _, Malformed.ParseError _, Malformed.ReadTimeout _ -> true;
      case null, default -> false;
    };
  }

  /** A body that is here already is taken as it is; any other is collected and counted. */
  private static CompletableFuture<RequestBody> collected(
      ByteBody body, long bytesMax, MemoryReservation memory) {
    OptionalLong declared = body.expectedLength();
    boolean isKept = declared.isPresent() && declared.getAsLong() <= bytesMax;
    if (isKept && !memory.resize(declared.getAsLong())) {
      return CompletableFuture.completedFuture(overload(memory));
    }
    return isKept && body instanceof AvailableByteBody available
        ? CompletableFuture.completedFuture(whole(available, memory))
        : Collector.of(body.toByteArrayPublisher(), declared, bytesMax, memory);
  }

  private static RequestBody whole(AvailableByteBody available, MemoryReservation memory) {
    byte[] bytes = available.toByteArray();
    return new RequestBody(bytes, bytes.length, null, memory, false);
  }

  /** The encodings of the content, in the order in which they were applied. */
  private static List<String> encodings(HttpHeaders headers) {
    List<String> sent = headers.getAll(HttpHeaders.CONTENT_ENCODING);
    if (sent.isEmpty()) {
      return sent; // of most requests
    }
    return sent.stream()
        .flatMap(header -> Stream.of(header.split(",", -1)))
        .map(String::strip)
        .filter(encoding -> !encoding.isEmpty() && !lower(encoding).equals("identity"))
        .toList();
  }

  /** One encoding is decoded; the sender of several learns the first that cannot be. */
  private static @Nullable Malformed wrongEncoding(List<String> encodings) {
    return encodings.stream()
        .filter(encoding -> encodings.size() > 1 || !CompressedBody.canDecode(encoding))
        .findFirst()
        .map(encoding -> new Malformed.UnsupportedContentEncoding(storable(encoding)))
        .orElse(null);
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  private static @Nullable Malformed wrongType(@Nullable String contentType) {
    return contentType == null ? null : ContentType.fault(contentType, ACCEPTED);
  }

  /** Values of headers are recorded, but no secret in them. */
  private static String storable(String text) {
    return TextPrefix.of(
        Scrubber.BUILT_IN.scrub(text.strip()).toLowerCase(Locale.ROOT), ENCODING_CHARS_MAX);
  }

  /** Collects a body of unknown size up to the size of a message, then only counts it. */
  private static final class Collector implements Subscriber<byte[]> {
    private final CompletableFuture<RequestBody> result = new CompletableFuture<>();
    private final ByteArrayOutputStream kept;
    private final OptionalLong declared;
    private final long bytesMax;
    private final MemoryReservation memory;
    private @Nullable Subscription subscription;
    private long sizeBytes;

    private Collector(OptionalLong declared, long bytesMax, MemoryReservation memory) {
      this.bytesMax = bytesMax;
      this.declared = declared;
      this.memory = memory;
      this.kept = new ByteArrayOutputStream(isKept() ? (int) declared.orElse(UNKNOWN_BYTES) : 0);
    }

    static CompletableFuture<RequestBody> of(
        Publisher<byte[]> chunks, OptionalLong declared, long bytesMax, MemoryReservation memory) {
      Collector collector = new Collector(declared, bytesMax, memory);
      chunks.subscribe(collector);
      return collector.result;
    }

    @Override
    public void onSubscribe(Subscription newSubscription) {
      subscription = newSubscription;
      newSubscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(byte[] chunk) {
      sizeBytes += chunk.length;
      if (isKept() && sizeBytes <= bytesMax) {
        keep(chunk);
      } else if (sizeBytes > DRAINED_BYTES_MAX && subscription != null) {
        subscription.cancel();
        onComplete();
      }
    }

    private boolean isKept() {
      return declared.orElse(0) <= bytesMax;
    }

    private void keep(byte[] chunk) {
      if (memory.growTo(sizeBytes)) {
        kept.writeBytes(chunk);
      } else if (subscription != null) {
        subscription.cancel();
        result.complete(overload(memory));
      }
    }

    /** A failure of the sender becomes a fault, which it gets if it is still connected. */
    @Override
    public void onError(Throwable failure) {
      switch (failure) {
        case BrokenChunks.ChunkException _ ->
            broken(new Malformed.ParseError(ParseDefect.BAD_CHUNK, sizeBytes));
        case ReadDeadline.LateBodyException late ->
            broken(new Malformed.ReadTimeout(late.millisMax, sizeBytes));
        case IOException _ ->
            broken(
                declared.isPresent()
                    ? new Malformed.LengthMismatch(declared.getAsLong(), sizeBytes)
                    : new Malformed.ParseError(ParseDefect.CUT_SHORT, sizeBytes));
        default -> result.completeExceptionally(failure);
      }
    }

    private void broken(Malformed fault) {
      result.complete(new RequestBody(EMPTY, sizeBytes, fault, memory, false));
    }

    @Override
    public void onComplete() {
      result.complete(
          sizeBytes <= bytesMax
              ? new RequestBody(kept.toByteArray(), sizeBytes, null, memory, false)
              : new RequestBody(EMPTY, sizeBytes, oversize(), memory, false));
    }

    private Malformed oversize() {
      return new Malformed.Oversize(
          bytesMax,
          declared.isPresent() ? declared.getAsLong() : null,
          sizeBytes > DRAINED_BYTES_MAX ? true : null);
    }
  }
}
