package gatebook.api.proof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.http.tls.HostileBeginning;
import gatebook.api.http.tls.TestCertificates;
import gatebook.api.proof.HostileTraffic.RawRequest;
import gatebook.api.upstream.source.StubServer;
import gatebook.events.Proof;
import gatebook.events.Requires;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Hostile requests and hostile upstream answers at the same time cause no internal error and no
 * leak, and every error is counted and logged once.
 */
final class HostileTrafficProcessTest {

  private static final int AT_ONCE = 16;
  private static final int ANSWER_MILLIS_MAX = 300_000;

  /** The timeout where the server may rightly wait for more of the request. */
  private static final int UNSURE_MILLIS_MAX = 200;

  private static final int WHOLE_ID_LENGTH = 17;

  private static final Pattern ID = Pattern.compile("(?im)^x-correlation-id: (\\S+)");

  @TempDir private Path temp;

  private final SplittableRandom random = Proof.random("hostile traffic");
  private final int allRequests = Proof.rounds(1_000, 100_000);

  /** The response: status, correlation id and body. The echo of a long text is cut. */
  private record Answer(int status, Optional<String> id, String body) {
    private static final int BODY_LENGTH_MAX = 100_000;

    Answer {
      assertThat(body).doesNotContain(HostileTraffic.STACK_FRAME);
      body = body.substring(0, Math.min(body.length(), BODY_LENGTH_MAX));
    }

    boolean isError() {
      return status >= 400 || body.contains("\"error\":{");
    }
  }

  /** By TLS with half the requests, as each costs a handshake. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void hostileTrafficCausesNoInternalErrorAndNoLeak(boolean byTls) throws Exception {
    int requests = byTls ? allRequests / 2 : allRequests;
    SplittableRandom answers = random.split();
    try (StubServer hostile = new StubServer(peer -> answer(answers, peer))) {
      ServerDirectory serverDirectory = ServerDirectory.withRules(temp, rules(hostile));
      try (ServerProcess server = start(serverDirectory.directory(), byTls)) {
        List<Answer> warmUp = send(server, requests / 4);
        ProcessResources before = ProcessResources.awaitIdle(server);

        List<Answer> all = new ArrayList<>(send(server, requests - requests / 4));

        if (byTls) {
          sendBeginnings(server, requests / 4);
        }
        ProcessResources after = ProcessResources.awaitIdle(server);
        all.addAll(warmUp);
        System.err.printf(
            "hostile traffic: %d requests, %d answers, %d errors; before %s, after %s%n",
            requests, all.size(), all.stream().filter(Answer::isError).count(), before, after);
        after.assertNoLeakSince(before);
        assertNoInternalError(all);
        assertEachErrorCountedOnce(server, serverDirectory.directory().resolve("err"), all);
        assertThat(ask(server, HostileTraffic.toolCall("echo"))).contains("\"result\"");
      }
    }
  }

  private ServerProcess start(Path directory, boolean byTls) throws Exception {
    if (!byTls) {
      return ServerProcess.start(directory, ServerProcess.StartOptions.SMALL);
    }
    Requires.program("openssl");
    TestCertificates certificates = TestCertificates.in(temp);
    TestCertificates.Pair pair = certificates.make("server");
    return ServerProcess.start(
        directory,
        ServerProcess.StartOptions.SMALL.with(
            "--tls-cert", pair.certificate().toString(), "--tls-key", pair.key().toString()),
        Optional.of(certificates.context(Optional.empty())));
  }

  /** Connections on which no handshake ends; some are left to the server's limit. */
  private void sendBeginnings(ServerProcess server, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      HostileBeginning[] all = HostileBeginning.values();
      try (Socket socket = new Socket(server.mcp().getHost(), server.mcp().getPort())) {
        socket.getOutputStream().write(all[random.nextInt(all.length)].bytes());
      } catch (SocketException _) {
        // the server has closed it already
      }
    }
  }

  private static String rules(StubServer hostile) {
    return """
    schema: 1
    sources:
      - {id: demo, kind: demo}
      - {id: hostile, kind: mcp, prefix: mad_, timeout: 2s, url: "%s"}
    governance: {defaults: {action: forward}}
    journal: {tail_events_max: 256}
    """
        .formatted(hostile.url("/mcp"));
  }

  private static void answer(SplittableRandom answers, StubServer.Peer peer) throws IOException {
    SplittableRandom own;
    synchronized (answers) {
      own = answers.split();
    }
    HostileTraffic.answer(own, peer);
  }

  private List<Answer> send(ServerProcess server, int count) throws Exception {
    List<Callable<Optional<Answer>>> calls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String id = "h%016x".formatted(random.nextLong());
      SplittableRandom own = random.split();
      // made when it is sent: all bodies together do not fit into memory
      calls.add(() -> send(server, HostileTraffic.request(own, id, server.mcp().getAuthority())));
    }
    List<Answer> answers = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      for (Future<Optional<Answer>> each : threads.invokeAll(calls)) {
        each.get().ifPresent(answers::add);
      }
    }
    return answers;
  }

  /** Empty when either side closed the connection before there was a response. */
  private static Optional<Answer> send(ServerProcess server, RawRequest rawRequest)
      throws IOException {
    try (Socket socket = server.connect()) {
      socket.setSoTimeout(rawRequest.expectsResponse() ? ANSWER_MILLIS_MAX : UNSURE_MILLIS_MAX);
      socket.getOutputStream().write(rawRequest.bytes().toArray());
      return rawRequest.closesEarly() ? Optional.empty() : answer(readAll(socket.getInputStream()));
    } catch (SocketException | SSLException _) {
      assertThat(rawRequest.expectsResponse()).as("connection closed by the server").isFalse();
      return Optional.empty();
    }
  }

  private static String readAll(InputStream in) throws IOException {
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    try {
      in.transferTo(received);
    } catch (SocketTimeoutException _) {
      // the rest does not arrive in time
    }
    return received.toString(UTF_8);
  }

  private static Optional<Answer> answer(String text) {
    int head = text.indexOf("\r\n\r\n");
    if (head < 0) {
      return Optional.empty();
    }
    if (text.startsWith("HTTP/1.1 100 ")) { // requested by a header; the response follows
      return answer(text.substring(head + 4));
    }
    Matcher id = ID.matcher(text.substring(0, head));
    return Optional.of(
        new Answer(
            Integer.parseInt(text.substring(9, 12)),
            id.find() ? Optional.of(id.group(1)) : Optional.empty(),
            text.substring(head + 4)));
  }

  private static String ask(ServerProcess server, String body) throws IOException {
    byte[] head =
        HostileTraffic.head("/mcp", "last", server.mcp().getAuthority(), body.length(), null);
    byte[] all = (new String(head, UTF_8) + body).getBytes(UTF_8);
    return send(server, new RawRequest(all, false, true)).orElseThrow().body();
  }

  private static void assertNoInternalError(List<Answer> answers) {
    assertThat(answers)
        .filteredOn(answer -> answer.status() == 500 || answer.body().contains("\"code\":-32603"))
        .isEmpty();
    assertThat(answers)
        .filteredOn(Answer::isError)
        .allSatisfy(answer -> {
          assertThat(answer.id()).isPresent();
          assertThat(answer.body()).contains("\"correlation_id\":\"" + answer.id().get() + "\"");
        });
  }

  private static void assertEachErrorCountedOnce(
      ServerProcess server, Path log, List<Answer> answers) throws IOException {
    Map<String, Integer> lines = new HashMap<>();
    AtomicLong faults = new AtomicLong();
    AtomicLong refusals = new AtomicLong();
    for (String line : Files.readAllLines(log)) {
      assertThat(line).startsWith("{\"timestamp\"").doesNotContain(HostileTraffic.STACK_FRAME);
      JsonNode entry = ServerProcess.json(line);
      assertThat(entry.has("stack")).as(line).isFalse();
      assertThat(entry.path("message").asText()).doesNotContain("unforeseen");
      assertThat(entry.path("fault").asText()).isNotEqualTo("InternalError");
      // a line about a list that lacks a source is about no error
      boolean isFault =
          entry.path("logger").asText().endsWith(".ErrorReporter") && entry.has("code");
      boolean isRefusal = entry.path("logger").asText().endsWith(".HttpErrors");
      if (isFault || isRefusal) {
        (isFault ? faults : refusals).incrementAndGet();
        lines.merge(entry.path("correlation_id").asText(), 1, Integer::sum);
      }
    }
    assertThat(errorsById(answers))
        .allSatisfy((id, errors) -> {
          if (id.length() < WHOLE_ID_LENGTH) { // a mutation cut it: others may have the same
            assertThat(lines.get(id)).isGreaterThanOrEqualTo(errors.intValue());
          } else {
            assertThat(lines).containsEntry(id, errors.intValue());
          }
        });
    assertThat(sum(server, "gatebook_errors_total{")).isEqualTo(faults.get());
    assertThat(sum(server, "gatebook_http_errors_total{")).isEqualTo(refusals.get());
    // refusals beyond the limit of the journal's events, and for want of memory, are counted, and
    // recorded each second
    long overloads =
        sum(server, "gatebook_http_errors_total{door=\"callers\",reason=\"overloaded\"");
    await()
        .untilAsserted(
            () -> assertThat(recordedErrors(server)).isEqualTo(faults.get() + overloads));
  }

  private static long recordedErrors(ServerProcess server) {
    long recorded = 0;
    for (JsonNode group : server.request("audit.errors", "{\"limit\":1000}").get("groups")) {
      recorded += group.get("count").asLong();
    }
    return recorded;
  }

  private static Map<String, Long> errorsById(List<Answer> answers) {
    return answers.stream()
        .filter(Answer::isError)
        .collect(groupingBy(answer -> answer.id().orElseThrow(), counting()));
  }

  private static long sum(ServerProcess server, String counter) {
    return server
        .probe("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(counter))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
