package gatebook.api.proof;

import static java.util.concurrent.TimeUnit.SECONDS;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.upstream.source.StubServer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A thousand open streams need little memory and do not delay other calls. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ManyStreamsProcessTest {
  private static final int STREAMS = 1_000;

  /** The number of sources, so that each has fewer streams than a source may have connections. */
  private static final int SOURCES = 20;

  private static final int SHORT_CALLS = 200;
  private static final int SHORT_CALLERS = 4;
  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  private final StubServer slow = StubServer.each(this::stream);
  private final StubServer quick = StubServer.each(ManyStreamsProcessTest::answer);
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private @Nullable ServerProcess started;

  /** Ends the streams of one protocol. */
  private volatile CountDownLatch released = new CountDownLatch(1);

  @BeforeAll
  void start(@TempDir Path temp) {
    started = ServerProcess.start(directory(temp).directory(), ServerProcess.StartOptions.SMALL);
  }

  @AfterAll
  void stop() throws IOException {
    http.shutdownNow();
    server().close();
    slow.close();
    quick.close();
  }

  @ParameterizedTest
  @EnumSource
  void aThousandStreamsDoNotDelayShortCalls(StreamProtocol protocol) throws Exception {
    released = new CountDownLatch(1);
    List<CompletableFuture<HttpResponse<Stream<String>>>> streams =
        IntStream.range(0, STREAMS)
            .mapToObj(number ->
                http.sendAsync(
                    protocol.call(server(), "slow%d".formatted(number % SOURCES), number, true),
                    BodyHandlers.ofLines()))
            .toList();
    // a stream is open when its first event has arrived
    CompletableFuture.allOf(streams.toArray(CompletableFuture[]::new))
        .get(TIMEOUT.toSeconds(), SECONDS);
    ProcessResources held = ProcessResources.of(server());

    List<Long> micros;
    try {
      assertThat(streams)
          .allSatisfy(stream ->
              assertThat(stream.join().headers().firstValue("Content-Type"))
                  .contains("text/event-stream"));
      micros = shortCalls(protocol);
    } finally {
      released.countDown();
    }

    for (int number = 0; number < STREAMS; number++) {
      assertThat(text(streams.get(number).join())).containsOnlyOnce(StreamProtocol.text(number));
    }
    System.err.printf(
        "%s: %d streams open: %s; %d short calls meanwhile: p50 %d µs, p99 %d µs%n",
        protocol, STREAMS, held, micros.size(), percentile(micros, 0.5), percentile(micros, 0.99));
    assertThat(held.connections()).isGreaterThanOrEqualTo(STREAMS);
    assertThat(micros).hasSize(SHORT_CALLS);
  }

  /** The whole text of a response that ends with its stream. */
  private static String text(HttpResponse<Stream<String>> answer) {
    try (Stream<String> lines = answer.body()) {
      return lines.collect(joining("\n"));
    }
  }

  /** Tools serve callers of MCP and of the built-in agent. */
  private ServerDirectory directory(Path temp) {
    String sources =
        Stream.of(StreamProtocol.MCP, StreamProtocol.AGENT_UPSTREAM)
            .map(protocol -> sources(protocol) + protocol.source("quick", quick))
            .collect(joining());
    return ServerDirectory.withRules(
        temp,
        """
        schema: 1
        sources:
        %sgovernance:
          defaults: {action: forward}
        """
            .formatted(sources));
  }

  private String sources(StreamProtocol protocol) {
    return IntStream.range(0, SOURCES)
        .mapToObj(number -> protocol.source("slow" + number, slow))
        .collect(joining());
  }

  private void stream(StubServer.Peer peer) throws IOException {
    StubServer.Request request = peer.request();
    StreamProtocol protocol = StreamProtocol.of(request);
    int number = number(request);
    if (number < 0) {
      peer.answer(200, StubServer.JSON, protocol.description(request));
      return; // a request of the node itself
    }
    peer.send(
        """
        HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n\
        data: %s\n\n\
        """
            .formatted(protocol.beginning(request, number)));
    awaitReleased();
    peer.send("data: %s\n\n".formatted(protocol.end(request, number)));
    throw new IOException("the stream has ended");
  }

  private void awaitReleased() {
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void answer(StubServer.Peer peer) throws IOException {
    StubServer.Request request = peer.request();
    StreamProtocol protocol = StreamProtocol.of(request);
    int number = number(request);
    peer.answer(
        200,
        StubServer.JSON,
        number < 0 ? protocol.description(request) : protocol.answer(request, number));
  }

  /** The number that identifies a call; negative when a request is no call. */
  private static int number(StubServer.Request request) {
    int from = request.body().indexOf("\"number\":") + 9;
    return from < 9
        ? -1
        : Integer.parseInt(request.body().substring(from, request.body().indexOf('}', from)));
  }

  /** The duration of each call in microseconds, ascending. */
  private List<Long> shortCalls(StreamProtocol protocol) {
    List<CompletableFuture<List<Long>>> callers = new ArrayList<>();
    for (int caller = 0; caller < SHORT_CALLERS; caller++) {
      callers.add(
          CompletableFuture.supplyAsync(
              () -> sequentialCalls(protocol), work -> Thread.ofVirtual().start(work)));
    }
    return callers.stream().flatMap(caller -> caller.join().stream()).sorted().toList();
  }

  private List<Long> sequentialCalls(StreamProtocol protocol) {
    List<Long> micros = new ArrayList<>();
    for (int number = 0; number < SHORT_CALLS / SHORT_CALLERS; number++) {
      long from = System.nanoTime();
      HttpResponse<String> answer =
          http.sendAsync(
                  protocol.call(server(), "quick", STREAMS + number, false),
                  BodyHandlers.ofString())
              .join();
      assertThat(answer.body()).contains(StreamProtocol.text(STREAMS + number));
      micros.add((System.nanoTime() - from) / 1_000);
    }
    return micros;
  }

  private static long percentile(List<Long> ascending, double part) {
    return ascending.get((int) (part * (ascending.size() - 1)));
  }

  private ServerProcess server() {
    return Objects.requireNonNull(started);
  }
}
