package gatebook.api.node.sharing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import gatebook.api.data.OwnerAddress;
import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.node.KeysOnDisk;
import gatebook.api.operator.client.FollowResult;
import gatebook.api.operator.client.OperatorClient;
import gatebook.api.operator.tail.TailAdmission;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalUnreachable;
import gatebook.events.journal.Journals;
import gatebook.events.journal.segment.SegmentLocation;
import gatebook.events.journal.storage.Durability;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalLimits;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.keys.ContentKey;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.KeyLookup;
import gatebook.events.keys.KeysUnavailable;
import gatebook.events.keys.store.ContentKeyStore;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.axonframework.messaging.core.QualifiedName;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;

/** A member's remote journal, over a real connection to a real journal. */
final class RemoteJournalTest {

  private static final EventCriteria OF_CALL = EventCriteria.havingTags("call", "1");

  @TempDir private Path temp;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final EchoOperatorRpc operatorRpc = new EchoOperatorRpc();
  private Journal journal;
  private ContentKeyStore contentKeys;
  private OwnerServer server;
  private RemoteJournal remoteJournal;

  @BeforeEach
  void meet() throws IOException {
    journal = opened();
    contentKeys = openedKeys();
    server = OwnerServer.open(journal, contentKeys, operatorRpc, () -> {});
    remoteJournal = RemoteJournal.connect(server.address(), threads).orElseThrow();
  }

  @AfterEach
  void part() {
    remoteJournal.close();
    server.close();
    journal.close();
    contentKeys.close();
    threads.close();
  }

  @Test
  void appendedEventsNameTheMembersNode() {
    DraftEvent draftEvent = draft("Happened", "call", "1");

    assertThat(
            remoteJournal
                .append(ConflictCondition.none(), List.of(draftEvent, draft("Too", "call", "2")))
                .join())
        .isEqualTo(new Append.Stored(1, 2));
    assertThat(remoteJournal.head()).isEqualTo(2);
    assertThat(journal.read(0, 10))
        .extracting(Entry::name, Entry::node, Entry::at, Entry::tagSet)
        .containsExactly(
            tuple(
                "Happened",
                MemberProcess.thisProcess().node(),
                draftEvent.at(),
                Set.of(new Tag("call", "1"))),
            tuple(
                "Too",
                MemberProcess.thisProcess().node(),
                journal.read(1, 1).getFirst().at(),
                Set.of(new Tag("call", "2"))));
  }

  @Test
  void findReturnsWhatTheJournalFinds() {
    var _ = remoteJournal.append(ConflictCondition.none(), List.of(draft("A", "call", "1"))).join();
    var _ = remoteJournal.append(ConflictCondition.none(), List.of(draft("B", "call", "2"))).join();
    var _ = remoteJournal.append(ConflictCondition.none(), List.of(draft("C", "call", "1"))).join();
    EventCriteria onlyC =
        EventCriteria.havingTags("call", "1").andBeingOneOfTypes(new QualifiedName("C"));

    assertThat(remoteJournal.find(OF_CALL, 0, 3, 10))
        .usingRecursiveComparison()
        .isEqualTo(journal.find(OF_CALL, 0, 3, 10));
    assertThat(remoteJournal.find(OF_CALL, 0, 3, 10)).extracting(Entry::name).contains("A", "C");
    assertThat(remoteJournal.find(onlyC, 1, 3, 10)).extracting(Entry::name).containsExactly("C");
    assertThat(remoteJournal.find(null, 0, 3, 2)).extracting(Entry::name).containsExactly("A", "B");
  }

  @Test
  void conflictReturnsItsCondition() {
    var _ = remoteJournal.append(ConflictCondition.none(), List.of(draft("A", "call", "1"))).join();
    ConflictCondition nothingYet = ConflictCondition.nothingAfter(0, OF_CALL);

    assertThat(remoteJournal.append(nothingYet, List.of(draft("B", "call", "1"))).join())
        .isEqualTo(new Append.Conflict(nothingYet));
    assertThat(
            remoteJournal
                .append(
                    ConflictCondition.nothingAfter(1, OF_CALL), List.of(draft("B", "call", "1")))
                .join())
        .isEqualTo(new Append.Stored(2, 2));
  }

  @Test
  void unstorableEventIsRefusedWithTheJournalsReason() {
    Append refused =
        remoteJournal.append(ConflictCondition.none(), List.of(draft("", "call", "1"))).join();

    assertThat(refused).isEqualTo(new Append.Unstorable("the event's name is empty"));
  }

  @Test
  void closedJournalOfTheOwnerIsUnavailableToMembers() {
    journal.close();

    assertThat(
            remoteJournal.append(ConflictCondition.none(), List.of(draft("A", "call", "1"))).join())
        .isEqualTo(new Append.Unavailable("the journal is closed"));
  }

  @Test
  void operatorCallReachesTheOwnerWithItsToken() {
    assertThat(
            remoteJournal
                .answerOperator("token", "who".getBytes(UTF_8))
                .map(it -> new String(it, UTF_8)))
        .contains("token asks who");
    assertThat(remoteJournal.answerOperator("token", new byte[0])).isEmpty();
  }

  @Test
  void followerGetsEventsUntilTheirEnd() throws Exception {
    List<String> lines = new ArrayList<>();

    assertThat(operator().follow("?name=A", OptionalLong.of(7), lines::add))
        .isEqualTo(new FollowResult.Lost());
    assertThat(lines)
        .containsExactly("id: 1", "data: é", "", "id: 2", "data: é", "", "id: 3", "data: é", "");
    assertThat(operatorRpc.received).containsExactly("token ?name=A Optional[7]");
  }

  @Test
  void followerThatStopsIsDisconnected() throws Exception {
    assertThat(operator().follow("?", OptionalLong.empty(), line -> !line.equals("id: 2")))
        .isEqualTo(new FollowResult.Finished());

    assertThat(operatorRpc.operatorDisconnected).succeedsWithin(Duration.ofMinutes(2));
    assertThat(operatorRpc.received).containsExactly("token ? Optional.empty");
  }

  @Test
  void refusedFollowerLearnsReasonAndWhetherToRetry() throws Exception {
    assertThat(operator().follow("?busy", OptionalLong.empty(), _ -> true))
        .isEqualTo(new FollowResult.Refused("too many follow", true));
    assertThat(operator().follow("?wrong", OptionalLong.empty(), _ -> true))
        .isEqualTo(new FollowResult.Refused("no such parameter", false));
    server.close();
    assertThat(operator().follow("?", OptionalLong.empty(), _ -> true))
        .isInstanceOf(FollowResult.Refused.class);
  }

  private OperatorClient operator() {
    return new OwnerClient(server.address(), "token");
  }

  @Test
  void memberUsesTheKeysOfTheOwner() {
    ContentOwner alice = new ContentOwner("alice", LocalDate.parse("2026-03-04"));
    ContentOwner node = new ContentOwner(null, LocalDate.parse("2026-03-04"));
    ContentKeys remote = remoteJournal.contentKeys();

    ContentKey made = remote.current(alice);

    assertThat(contentKeys.current(alice)).usingRecursiveComparison().isEqualTo(made);
    assertThat(remote.find(contentKeys.current(node).id()))
        .usingRecursiveComparison()
        .isEqualTo(new KeyLookup.Found(contentKeys.current(node)));
    assertThat(remote.find("0123456789abcdef")).isEqualTo(new KeyLookup.Missing());
  }

  @Test
  void memberLearnsOfAnErasureAfterASecond() {
    ContentOwner alice = new ContentOwner("alice", LocalDate.parse("2026-03-04"));
    AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    ContentKeys remote = new RemoteKeys(remoteJournal, now::get);
    String id = remote.current(alice).id();
    assertThat(remote.find(id)).isInstanceOf(KeyLookup.Found.class);
    contentKeys.erase(List.of(id), 1);

    assertThat(remote.find(id)).isInstanceOf(KeyLookup.Found.class);
    now.set(Instant.EPOCH.plusSeconds(1));
    assertThat(remote.find(id)).isEqualTo(new KeyLookup.Erased());
    assertThat(remote.current(alice).id()).isNotEqualTo(id);
  }

  @Test
  void memberWithoutAnOwnerHasNoKeys() {
    ContentOwner alice = new ContentOwner("alice", LocalDate.parse("2026-03-04"));
    SharedKeys shared = new SharedKeys();
    shared.switchTo(remoteJournal.contentKeys());
    contentKeys.close();
    assertThatThrownBy(() -> shared.current(alice))
        .isInstanceOf(KeysUnavailable.class)
        .hasMessageContaining("closed");
    server.close();
    assertThatThrownBy(() -> shared.find("0123456789abcdef")).isInstanceOf(KeysUnavailable.class);
    shared.switchTo(null);
    assertThatThrownBy(() -> shared.current(alice)).isInstanceOf(KeysUnavailable.class);
  }

  @Test
  void ownersEndFailsReadsAndLeavesAppendsInDoubt() {
    server.close();

    await().until(() -> remoteJournal.disconnected().isDone());
    assertThatThrownBy(remoteJournal::head).isInstanceOf(JournalUnreachable.class);
    assertThatThrownBy(() -> remoteJournal.find(OF_CALL, 0, 1, 1))
        .isInstanceOf(JournalUnreachable.class);
    assertThat(
            remoteJournal.append(ConflictCondition.none(), List.of(draft("A", "call", "1"))).join())
        .isInstanceOf(Append.InDoubt.class);
    assertThat(journal.head()).isZero();
  }

  @Test
  void memberWithAnotherSecretIsRefused() {
    assertThat(RemoteJournal.connect(OwnerAddress.withNewSecret(server.address().port()), threads))
        .isEmpty();
  }

  @Test
  void connectingWithoutAnOwnerReturnsEmpty() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    assertThat(RemoteJournal.connect(OwnerAddress.withNewSecret(port), threads)).isEmpty();
  }

  @Test
  void ownerWithoutProofIsRefused() throws IOException {
    try (ServerSocket impostor = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      threads.execute(() -> pretend(impostor));

      assertThat(
              RemoteJournal.connect(OwnerAddress.withNewSecret(impostor.getLocalPort()), threads))
          .isEmpty();
    }
  }

  @Test
  void memberWithoutProofIsNotAnswered() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().port())) {
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeInt(WireFormat.VERSION);
      out.write(new byte[64]); // a nonce and a wrong proof
      out.flush();

      // its version, nonce and proof, then the end of the stream
      assertThat(socket.getInputStream().readNBytes(69)).hasSize(68);
    }
  }

  /** Sends a wrong proof as the owner. */
  private static void pretend(ServerSocket impostor) {
    try (Socket socket = impostor.accept()) {
      byte[] random = new byte[64];
      ThreadLocalRandom.current().nextBytes(random);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeInt(WireFormat.VERSION);
      out.write(random);
      out.flush();
      int _ = socket.getInputStream().readNBytes(36).length;
    } catch (IOException _) {
      // the member has disconnected
    }
  }

  /** Echoes each operator call, and sends three events to followers. */
  private static final class EchoOperatorRpc implements OwnerOperatorRpc {
    private final CompletableFuture<Void> operatorDisconnected = new CompletableFuture<>();
    private final List<String> received = new CopyOnWriteArrayList<>();

    @Override
    public Optional<byte[]> answer(String token, byte[] message) {
      String text = token + " asks " + new String(message, UTF_8);
      return message.length == 0 ? Optional.empty() : Optional.of(text.getBytes(UTF_8));
    }

    @Override
    public TailAdmission follow(
        String token, String query, Optional<String> lastSeen, CallerConnection connection) {
      received.add("%s %s %s".formatted(token, query, lastSeen));
      CallerConnection.Watch _ = connection.onDisconnect(_ -> operatorDisconnected.complete(null));
      return switch (query) {
        case "?busy" -> new TailAdmission.Refused(TailAdmission.Reason.NOT_NOW, "too many follow");
        case "?wrong" ->
            new TailAdmission.Refused(TailAdmission.Reason.INVALID_REQUEST, "no such parameter");
        default -> new TailAdmission.Following(Flux.just(line(1), line(2), line(3)));
      };
    }

    private static byte[] line(int number) {
      return "id: %d\ndata: é\n\n".formatted(number).getBytes(UTF_8);
    }
  }

  private static DraftEvent draft(String name, String key, String value) {
    return DraftEvent.of(
        UUID.randomUUID().toString(),
        name,
        "1",
        Instant.now(),
        Set.of(new Tag(key, value)),
        "{\"é\":1}".getBytes(UTF_8),
        "{}".getBytes(UTF_8));
  }

  private ContentKeyStore openedKeys() {
    return KeysOnDisk.open(temp, journal);
  }

  private Journal opened() {
    return Journals.opened(
        new JournalSettings(
            new SegmentLocation(temp.resolve("journal")),
            Durability.PROCESS,
            "owner",
            temp.resolve("checkpoint.key"),
            temp.resolve("checkpoint"),
            JournalLimits.DEFAULT));
  }
}
