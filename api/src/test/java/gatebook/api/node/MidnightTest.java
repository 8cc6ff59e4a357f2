package gatebook.api.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.gateway.SettableClock;
import gatebook.api.http.RawHttp;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.CallEvent;
import gatebook.events.CallReceived;
import gatebook.events.journal.storage.Entry;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.KeyLookup;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.keys.store.KeySelection;
import gatebook.events.keys.store.StoredKey;
import gatebook.events.vocabulary.EventVocabulary;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node under load while a day (UTC) ends, by a clock of its own. */
@Timeout(300)
final class MidnightTest {
  private static final int CALLERS = 8;
  private static final int CALLS = 15;

  private static final String RULES =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance:
        defaults: {action: forward}
        rules:
          - {match: "deploy", action: approve, approval: people}
      approval: {people: {timeout: 10m}}
      """
          + NodeCaller.people("view, approve, arguments, admin");

  /** Keys are made now, by the clock of the machine, and erased later. */
  private final LocalDate day = LocalDate.now(ZoneOffset.UTC).plusDays(1);

  private final LocalDate nextDay = day.plusDays(1);
  private final Instant midnight = nextDay.atStartOfDay(ZoneOffset.UTC).toInstant();
  private final SettableClock clock = new SettableClock();

  /** The threads that used a key which was not ready. */
  private final Queue<Thread> waited = new ConcurrentLinkedQueue<>();

  @TempDir private Path folder;
  private WatchedNode node;

  @BeforeEach
  void start() throws IOException {
    clock.set(midnight.minusSeconds(60));
    node = WatchedNode.start(folder, RULES, clock, this::watched);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private ContentKeyStore watched(ContentKeyStore store) {
    return (ContentKeyStore)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {ContentKeyStore.class},
            (_, method, arguments) -> {
              if (method.getName().equals("current")
                  && !store.isReady((ContentOwner) arguments[0])) {
                waited.add(Thread.currentThread());
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void callsOverMidnightUseTheKeysOfTheirDay() throws Exception {
    call(NodeCaller.JOE, "before", "said by joe before");
    new NextDayKeys(node.contentKeys(), () -> GatewayLimits.DEFAULT, clock).makeShare();
    List<StoredKey> ahead = joesKeys(nextDay);
    assertThat(ahead).hasSize(1);

    load();
    call(NodeCaller.JOE, "after", "said by joe after");

    assertThat(joesKeys(day)).hasSize(1);
    assertThat(joesKeys(nextDay)).isEqualTo(ahead);
    List<LocalDate> received = new ArrayList<>();
    Map<UUID, String> principals = new HashMap<>();
    for (Entry entry : RealJournal.entries(node.journal())) {
      if (RealJournal.read(entry, node.vocabulary()) instanceof CallEvent event) {
        if (event instanceof CallReceived call) {
          principals.put(call.callId(), call.principal().name());
          received.add(ContentOwner.ofCall(null, call.callId()).day());
        }
        String principal = principals.get(event.callId());
        EventVocabulary.contentKeyOf(entry)
            .ifPresent(key ->
                assertThat(((KeyLookup.Found) node.contentKeys().find(key)).key().owner())
                    .isEqualTo(ContentOwner.ofCall(principal, event.callId())));
      }
    }
    assertThat(received).hasSize(CALLERS * CALLS + 2).containsOnly(day, nextDay);
    assertThat(waited).isNotEmpty().noneMatch(FastThreadLocalThread.class::isInstance);
  }

  /** Half of the callers are joe, who has a key of the next day, and half are ann, who has none. */
  private void load() {
    AtomicInteger sent = new AtomicInteger();
    CountDownLatch halfway = new CountDownLatch(CALLERS * CALLS / 2);
    List<CompletableFuture<Void>> callers =
        IntStream.range(0, CALLERS)
            .mapToObj(number ->
                CompletableFuture.runAsync(
                    () -> {
                      for (int i = 0; i < CALLS; i++) {
                        call(
                            number % 2 == 0 ? NodeCaller.JOE : NodeCaller.ANN,
                            "load-" + sent.incrementAndGet(),
                            "said");
                        halfway.countDown();
                      }
                    },
                    work -> Thread.ofVirtual().start(work)))
            .toList();
    try {
      halfway.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    clock.set(midnight);
    callers.forEach(CompletableFuture::join);
  }

  @Test
  void anErasureReachesTheDaysOnWhichCallsWereReceived() throws IOException {
    call(NodeCaller.JOE, "before", "said by joe before");
    CompletableFuture<RawHttp.Answer> held =
        node.hold(
            "held",
            WatchedNode.toolCall("deploy", "{\"version\":\"said by joe held\"}"),
            NodeCaller.bearer(NodeCaller.JOE));
    clock.set(midnight);
    node.decide("held", false, "joe is ill");
    assertThat(held.join().body()).contains("-32007");
    call(NodeCaller.JOE, "after", "said by joe after");

    assertThat(forget("\"since\":\"%s\"".formatted(nextDay))).isEqualTo(1);
    assertThat(lookup("after")).contains("\"erased\"").doesNotContain("joe after");
    assertThat(lookup("before")).contains("joe before").doesNotContain("\"erased\"");
    assertThat(lookup("held")).contains("joe held", "joe is ill").doesNotContain("\"erased\"");

    call(NodeCaller.JOE, "again", "said by joe again");
    assertThat(forget("\"until\":\"%s\"".formatted(day))).isEqualTo(1);
    assertThat(lookup("before")).contains("\"erased\"").doesNotContain("joe before");
    assertThat(lookup("held")).contains("\"erased\"").doesNotContain("joe held", "joe is ill");
    assertThat(lookup("again")).contains("joe again").doesNotContain("\"erased\"");
  }

  private void call(String token, String correlationId, String text) {
    try {
      RawHttp.Answer answer =
          node.post(
              "/mcp",
              correlationId,
              WatchedNode.toolCall("echo", "{\"note\":\"%s\"}".formatted(text)).getBytes(UTF_8),
              NodeCaller.bearer(token));
      assertThat(answer.body()).contains("\"result\"");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<StoredKey> joesKeys(LocalDate day) {
    return node.contentKeys().list(new KeySelection("joe", day, day));
  }

  /** How many keys of joe were destroyed. */
  private int forget(String days) throws IOException {
    JsonNode result =
        operator(
            "content.forget", "{\"principal\":\"joe\",\"reason\":\"asked\",%s}".formatted(days));
    assertThat(result.path("outcome").asText()).isEqualTo("erased");
    return result.path("keys").asInt();
  }

  private String lookup(String id) throws IOException {
    return operator("audit.lookup", "{\"id\":\"%s\"}".formatted(id)).toString();
  }

  private JsonNode operator(String method, String params) throws IOException {
    return node.operator(NodeCaller.ALICE, method, params).path("result");
  }
}
