package gatebook.api.node;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.data.DataDirectory;
import gatebook.api.gateway.RecordedTaskChanges;
import gatebook.api.http.ListenAddress;
import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.api.http.TlsMode;
import gatebook.api.http.TrustedProxies;
import gatebook.api.operator.methods.OperatorServices;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.journal.JournalAccess;
import gatebook.events.journal.anchor.AnchorRecords;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.OldKeys;
import gatebook.query.ViewQueries;
import gatebook.query.projection.ViewStatus;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.axonframework.common.configuration.Configuration;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.eventsourcing.eventstore.StorageEngineBackedEventStore;
import org.axonframework.eventsourcing.eventstore.TagResolver;
import org.axonframework.eventsourcing.eventstore.inmemory.InMemoryEventStorageEngine;
import org.axonframework.messaging.eventhandling.SimpleEventBus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NodeTest {

  private static final ListenAddress ANY_PORT = new ListenAddress("127.0.0.1", 0);

  @TempDir private Path data;

  private final SmallJournal journal = new SmallJournal();

  @Test
  void nodeWithAnAppendingJournalIsReady() throws IOException {
    try (Node node = serving(settings(ANY_PORT, ANY_PORT))) {
      RawHttp.Answer answer = RawHttp.get(node.at(Port.ADMIN), "/ready");

      assertThat(answer.status() + " " + answer.body())
          .isEqualTo(
              """
              200 {"status":"ready","checks":{"journal":"appending","rules":"in-force","views":"up-to-date"},\
              "reason":null,"durability":"power"}\
              """);
    }
  }

  @Test
  void nodeWithAStoppedJournalIsAliveButNotReady() throws IOException {
    try (Node node = serving(settings(ANY_PORT, ANY_PORT))) {
      journal.status =
          new NodeJournal.Status("stopped", Optional.of("the disk is full"), Map.of(), "power");

      RawHttp.Answer ready = RawHttp.get(node.at(Port.ADMIN), "/ready");

      assertThat(ready.status() + " " + ready.body())
          .isEqualTo(
              """
              503 {"status":"not_ready","checks":{"journal":"stopped","rules":"in-force","views":"up-to-date"},"reason":"the \
              disk is full","durability":"power"}\
              """);
      assertThat(RawHttp.get(node.at(Port.ADMIN), "/metrics").body().lines())
          .contains(
              "gatebook_ready 0.0",
              "gatebook_journal_appending 0.0",
              "gatebook_build_info{commit=\"%s\",java=\"%s\",version=\"%s\"} 1"
                  .formatted(Version.commit(), Version.java(), Version.text()));
      assertThat(RawHttp.get(node.at(Port.ADMIN), "/health").status()).isEqualTo(200);
    }
  }

  @Test
  void damagedFileOfTheJournalIsToldByTheProbe() throws IOException {
    try (Node node = serving(settings(ANY_PORT, ANY_PORT))) {
      journal.status =
          new NodeJournal.Status(
              "appending", Optional.empty(), Map.of("journalFiles", "1.segment is gone"), "power");

      RawHttp.Answer ready = RawHttp.get(node.at(Port.ADMIN), "/ready");

      assertThat(ready.status()).isEqualTo(200);
      assertThat(ready.body())
          .contains("\"journal\":\"appending\",\"journalFiles\":\"1.segment is gone\"");
    }
  }

  @ParameterizedTest
  @CsvSource({"100000, 200, up-to-date", "100001, 503, behind"})
  void nodeWithLaggingViewsIsNotReady(long lag, int status, String word) throws IOException {
    try (Node node = serving(settings(ANY_PORT, ANY_PORT))) {
      journal.lag = lag;

      RawHttp.Answer ready = RawHttp.get(node.at(Port.ADMIN), "/ready");

      assertThat(ready.status()).isEqualTo(status);
      assertThat(ready.body()).contains("\"views\":\"%s\"".formatted(word));
      assertThat(ready.body().contains("the view faults is 100001 events behind the journal"))
          .isEqualTo(status == 503);
    }
  }

  @Test
  void metersAreTheJvmsAndTheJournals() throws IOException {
    try (Node node = serving(settings(ANY_PORT, ANY_PORT))) {
      String metrics = RawHttp.get(node.at(Port.ADMIN), "/metrics").body();

      assertThat(metrics.lines())
          .contains(
              "gatebook_small_journal_head 42.0",
              "gatebook_ready 1.0",
              "gatebook_journal_appending 1.0")
          .anyMatch(line -> line.startsWith("jvm_memory_used_bytes{"))
          .anyMatch(line -> line.startsWith("jvm_gc_memory_allocated_bytes_total "))
          .anyMatch(line -> line.startsWith("jvm_threads_live_threads "))
          .anyMatch(line -> line.startsWith("process_cpu_usage "))
          .allMatch(line -> line.matches("#.*|(jvm|process|system|gatebook|thoughtgate)_.*"));
    }
  }

  @Test
  void theOwnerFileNamesTheAdminPort() throws IOException {
    try (Node node = serving(settings(ANY_PORT, ANY_PORT))) {
      assertThat(Files.readString(data.resolve("owner.lock")))
          .contains("\"adminPort\":%d,".formatted(node.at(Port.ADMIN).port()));
    }
  }

  @Test
  void closingANodeClosesJournalAndReleasesTheDirectory() {
    serving(settings(ANY_PORT, ANY_PORT)).close();

    assertThat(journal.closed).isTrue();
    serving(settings(ANY_PORT, ANY_PORT)).close();
  }

  @Test
  void refusalOfTheJournalIsReturnedAndReleasesTheDirectory() {
    String sentence = "the database was written by a newer gatebook: use the newer one";

    assertThat(
            Node.start(
                settings(ANY_PORT, ANY_PORT), (_, _) -> new NodeJournal.Opening.Refused(sentence)))
        .isEqualTo(new Node.Start.Refused(sentence));
    serving(settings(ANY_PORT, ANY_PORT)).close();
  }

  @Test
  void portInUseClosesJournalAndReleasesTheDirectory() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = other.getLocalPort();

      assertThat(start(settings(ANY_PORT, new ListenAddress("127.0.0.1", port))))
          .isEqualTo(
              new Node.Start.Refused(
                  "port %d on 127.0.0.1 is in use: stop what listens there, or choose another with --admin-port"
                      .formatted(port)));
      assertThat(journal.closed).isTrue();
    }
    serving(settings(ANY_PORT, ANY_PORT)).close();
  }

  @Test
  void aSecondNodeOnTheSameDataIsRefused() {
    try (Node _ = serving(settings(ANY_PORT, ANY_PORT))) {
      assertThat(start(settings(ANY_PORT, ANY_PORT)))
          .isEqualTo(
              new Node.Start.Refused(
                  "%s is in use by the running gatebook with process id %d: stop it, or choose another with --data"
                      .formatted(data, ProcessHandle.current().pid())));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "192.0.2.1", "::"})
  void nonLoopbackAddressWithoutPrincipalsIsRefused(String host) {
    Node.Start.Refused refused =
        new Node.Start.Refused(
            "will not listen on %s, since no principals are configured and any client could call: name principals in the rules file, or use 127.0.0.1"
                .formatted(host));

    assertThat(start(settings(new ListenAddress(host, 0), ANY_PORT))).isEqualTo(refused);
    assertThat(start(settings(ANY_PORT, new ListenAddress(host, 0)))).isEqualTo(refused);
    assertThat(data).isEmptyDirectory();
  }

  @Test
  void plainAddressNeedsAProxyThatSpeaksTls() {
    ListenAddress everywhere = new ListenAddress("0.0.0.0", 0);
    TrustedProxies proxies = TrustedProxies.of(List.of("10.0.0.0/8")).orElseThrow();

    assertThat(exposure(everywhere, TrustedProxies.NONE))
        .contains(
            "will not listen on 0.0.0.0 without TLS, since tokens could be read on their way: give"
                + " --tls-cert, or name the proxy that speaks TLS with --behind-proxy");
    assertThat(exposure(everywhere, proxies)).isEmpty();
    assertThat(exposure(new ListenAddress("0.0.0.0", 0, Set.of(), TlsMode.ON), TrustedProxies.NONE))
        .isEmpty();
  }

  private Optional<String> exposure(ListenAddress address, TrustedProxies proxies) {
    return new ServeSettings(
            data, Optional.empty(), address, ANY_PORT, Optional.empty(), proxies, Optional.empty())
        .exposure(() -> true);
  }

  @Test
  void unknownHostIsRefused() {
    assertThat(start(settings(new ListenAddress("no.such.host.invalid", 0), ANY_PORT)))
        .isEqualTo(
            new Node.Start.Refused(
                "cannot listen on no.such.host.invalid, since no such host is known: use"
                    + " 127.0.0.1"));
  }

  @Test
  void samePortForCallersAndOperatorsIsRefused() {
    assertThat(
            start(
                settings(
                    new ListenAddress("127.0.0.1", 7469), new ListenAddress("localhost", 7469))))
        .isEqualTo(
            new Node.Start.Refused(
                "callers and operators cannot share port 7469: choose another with --admin-port"));
  }

  @ParameterizedTest
  @CsvSource({"no-such-file", "''"})
  void unreadableRulesFileIsRefused(String file) {
    Path rules = data.resolve(file);
    ServeSettings settings =
        new ServeSettings(
            data,
            Optional.of(rules),
            ANY_PORT,
            ANY_PORT,
            Optional.empty(),
            TrustedProxies.NONE,
            Optional.empty());

    assertThat(start(settings))
        .isEqualTo(
            new Node.Start.Refused(
                "cannot read the rules file %s: name another with --config".formatted(rules)));
  }

  private ServeSettings settings(ListenAddress callers, ListenAddress admin) {
    return new ServeSettings(
        data,
        Optional.empty(),
        callers,
        admin,
        Optional.empty(),
        TrustedProxies.NONE,
        Optional.empty());
  }

  private Node serving(ServeSettings settings) {
    return switch (start(settings)) {
      case Node.Start.Serving(var node) -> node;
      case Node.Start.Refused(var sentence) -> throw new AssertionError(sentence);
    };
  }

  private Node.Start start(ServeSettings settings) {
    return Node.start(settings, this::openSmallJournal);
  }

  private NodeJournal.Opening openSmallJournal(ServeSettings settings, DataDirectory directory) {
    return new NodeJournal.Opening.Opened(journal);
  }

  /** A journal without storage, whose reported state can be set. */
  private static final class SmallJournal implements NodeJournal {
    @Override
    public void startMaintenance(OperatorServices operatorServices, AnchorRecords anchorRecords) {
      // nothing was erased
    }

    @Override
    public void closeOrphans(OrphanHandler orphanHandler) {
      // there are never calls to close
    }

    private volatile Status status = new Status("appending", Optional.empty(), Map.of(), "power");
    private volatile long lag;
    private volatile boolean closed;

    @Override
    public Status status() {
      return status;
    }

    @Override
    public List<ViewStatus> views() {
      return List.of(
          new ViewStatus("calls", 7, 0, ViewStatus.State.UP_TO_DATE, 0, null, null, null),
          new ViewStatus("faults", 7, lag, ViewStatus.State.CATCHING_UP, 0, null, null, null));
    }

    @Override
    public void registerBeans(ApplicationContext controllers, OperatorServices operatorServices) {
      // there are no operators
    }

    @Override
    public ViewQueries queries() {
      throw new UnsupportedOperationException("no task is listed");
    }

    @Override
    public RecordedTaskChanges recordedTaskChanges() {
      return RecordedTaskChanges.NONE;
    }

    @Override
    public JournalAccess access() {
      throw new UnsupportedOperationException("no other process joins");
    }

    @Override
    public ContentKeys contentKeys() {
      return ContentKeys.NONE;
    }

    @Override
    public OldKeys oldKeys() {
      return OldKeys.NONE;
    }

    @Override
    public List<String> missingKeys() {
      return List.of();
    }

    @Override
    public void share(
        DataDirectory directory,
        OperatorServices operatorServices,
        OrphanHandler orphanHandler,
        Supplier<GatewayLimits> limits) {
      // no other process joins
    }

    @Override
    public Optional<byte[]> answerOperator(
        OperatorServices operatorServices, String token, byte[] message) {
      return Optional.empty();
    }

    @Override
    public EventStore eventStore(Configuration axon) {
      return new StorageEngineBackedEventStore(
          new InMemoryEventStorageEngine(),
          new SimpleEventBus(),
          axon.getComponent(TagResolver.class));
    }

    @Override
    public void bindTo(MeterRegistry registry) {
      registry.gauge("gatebook.small.journal.head", 42);
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
