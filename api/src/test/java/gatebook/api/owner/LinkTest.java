package gatebook.api.owner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import gatebook.api.data.Rendezvous;
import gatebook.api.operator.Admission;
import gatebook.api.operator.Following;
import gatebook.api.operator.OperatorClient;
import gatebook.events.journal.Append;
import gatebook.events.journal.BookOutOfReach;
import gatebook.events.journal.Condition;
import gatebook.events.journal.Draft;
import gatebook.events.journal.Durability;
import gatebook.events.journal.Entry;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalLimits;
import gatebook.events.journal.JournalSettings;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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
import org.axonframework.messaging.core.QualifiedName;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;

/** What a member has of the owner's journal, over a real connection to a real journal. */
final class LinkTest {

  private static final EventCriteria OF_CALL = EventCriteria.havingTags("call", "1");

  @TempDir private Path temp;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final PlayedDesk desk = new PlayedDesk();
  private Journal journal;
  private OwnersDoor door;
  private Link link;

  @BeforeEach
  void meet() throws IOException {
    journal = opened();
    door = OwnersDoor.open(journal, desk, () -> {});
    link = Link.to(door.place(), threads).orElseThrow();
  }

  @AfterEach
  void part() {
    link.close();
    door.close();
    journal.close();
    threads.close();
  }

  @Test
  void whatIsAppendedIsInTheJournalUnderTheNameOfTheMember() {
    Draft draft = draft("Happened", "call", "1");

    assertThat(link.append(Condition.none(), List.of(draft, draft("Too", "call", "2"))).join())
        .isEqualTo(new Append.Stored(1, 2));
    assertThat(link.head()).isEqualTo(2);
    assertThat(journal.read(0, 10))
        .extracting(Entry::name, Entry::node, Entry::at, Entry::tagSet)
        .containsExactly(
            tuple(
                "Happened", Member.thisProcess().node(), draft.at(), Set.of(new Tag("call", "1"))),
            tuple(
                "Too",
                Member.thisProcess().node(),
                journal.read(1, 1).getFirst().at(),
                Set.of(new Tag("call", "2"))));
  }

  @Test
  void whatIsFoundIsWhatTheJournalFinds() {
    var _ = link.append(Condition.none(), List.of(draft("A", "call", "1"))).join();
    var _ = link.append(Condition.none(), List.of(draft("B", "call", "2"))).join();
    var _ = link.append(Condition.none(), List.of(draft("C", "call", "1"))).join();
    EventCriteria onlyC =
        EventCriteria.havingTags("call", "1").andBeingOneOfTypes(new QualifiedName("C"));

    assertThat(link.find(OF_CALL, 0, 3, 10))
        .usingRecursiveComparison()
        .isEqualTo(journal.find(OF_CALL, 0, 3, 10));
    assertThat(link.find(OF_CALL, 0, 3, 10)).extracting(Entry::name).contains("A", "C");
    assertThat(link.find(onlyC, 1, 3, 10)).extracting(Entry::name).containsExactly("C");
    assertThat(link.find(null, 0, 3, 2)).extracting(Entry::name).containsExactly("A", "B");
  }

  @Test
  void aConditionThatIsContradictedIsToldWithItself() {
    var _ = link.append(Condition.none(), List.of(draft("A", "call", "1"))).join();
    Condition nothingYet = Condition.nothingAfter(0, OF_CALL);

    assertThat(link.append(nothingYet, List.of(draft("B", "call", "1"))).join())
        .isEqualTo(new Append.Conflict(nothingYet));
    assertThat(
            link.append(Condition.nothingAfter(1, OF_CALL), List.of(draft("B", "call", "1")))
                .join())
        .isEqualTo(new Append.Stored(2, 2));
  }

  @Test
  void whatTheJournalCannotStoreIsRefusedInItsWords() {
    Append refused = link.append(Condition.none(), List.of(draft("", "call", "1"))).join();

    assertThat(refused).isEqualTo(new Append.Unstorable("the event's name is empty"));
  }

  @Test
  void aJournalThatIsClosedThereIsUnavailableHere() {
    journal.close();

    assertThat(link.append(Condition.none(), List.of(draft("A", "call", "1"))).join())
        .isEqualTo(new Append.Unavailable("the journal is closed"));
  }

  @Test
  void aQuestionReachesTheDeskWithItsToken() {
    assertThat(link.ask("token", "who".getBytes(UTF_8)).map(it -> new String(it, UTF_8)))
        .contains("token asks who");
    assertThat(link.ask("token", new byte[0])).isEmpty();
  }

  @Test
  void whoFollowsHearsLineByLineUntilThereIsNoMore() throws Exception {
    List<String> lines = new ArrayList<>();

    assertThat(operator().follow("?name=A", OptionalLong.of(7), lines::add))
        .isEqualTo(new Following.Lost());
    assertThat(lines)
        .containsExactly("id: 1", "data: é", "", "id: 2", "data: é", "", "id: 3", "data: é", "");
    assertThat(desk.asked).containsExactly("token ?name=A Optional[7]");
  }

  @Test
  void whoHasHeardEnoughGoesAndIsSeenToBeGone() throws Exception {
    assertThat(operator().follow("?", OptionalLong.empty(), line -> !line.equals("id: 2")))
        .isEqualTo(new Following.Enough());

    assertThat(desk.operatorGone).succeedsWithin(Duration.ofMinutes(2));
    assertThat(desk.asked).containsExactly("token ? Optional.empty");
  }

  @Test
  void whoIsNotLetInIsToldWhyAndWhetherToComeBack() throws Exception {
    assertThat(operator().follow("?busy", OptionalLong.empty(), _ -> true))
        .isEqualTo(new Following.Refused("too many follow", true));
    assertThat(operator().follow("?wrong", OptionalLong.empty(), _ -> true))
        .isEqualTo(new Following.Refused("no such parameter", false));
    door.close();
    assertThat(operator().follow("?", OptionalLong.empty(), _ -> true))
        .isInstanceOf(Following.Refused.class);
  }

  private OperatorClient operator() {
    return new OwnerClient(door.place(), "token");
  }

  @Test
  void whenTheOwnerEndsNothingIsReadAnyMoreAndAppendsAreInDoubt() {
    door.close();

    await().until(() -> link.lost().isDone());
    assertThatThrownBy(link::head).isInstanceOf(BookOutOfReach.class);
    assertThatThrownBy(() -> link.find(OF_CALL, 0, 1, 1)).isInstanceOf(BookOutOfReach.class);
    assertThat(link.append(Condition.none(), List.of(draft("A", "call", "1"))).join())
        .isInstanceOf(Append.InDoubt.class);
    assertThat(journal.head()).isZero();
  }

  @Test
  void whoKnowsAnotherSecretIsNotLetIn() {
    assertThat(Link.to(Rendezvous.at(door.place().port()), threads)).isEmpty();
  }

  @Test
  void whereNobodyIsNobodyIsMet() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    assertThat(Link.to(Rendezvous.at(port), threads)).isEmpty();
  }

  @Test
  void whoOnlyClaimsToBeTheOwnerIsNotBelieved() throws IOException {
    try (ServerSocket impostor = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      threads.execute(() -> pretend(impostor));

      assertThat(Link.to(Rendezvous.at(impostor.getLocalPort()), threads)).isEmpty();
    }
  }

  @Test
  void whoOnlyClaimsToBeAMemberIsNotAnswered() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), door.place().port())) {
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeInt(Wire.VERSION);
      out.write(new byte[64]); // a nonce, and a proof of nothing
      out.flush();

      // its version, its nonce and its proof, and then the end
      assertThat(socket.getInputStream().readNBytes(69)).hasSize(68);
    }
  }

  /** Says a proof that it cannot know. */
  private static void pretend(ServerSocket impostor) {
    try (Socket socket = impostor.accept()) {
      byte[] random = new byte[64];
      ThreadLocalRandom.current().nextBytes(random);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeInt(Wire.VERSION);
      out.write(random);
      out.flush();
      int _ = socket.getInputStream().readNBytes(36).length;
    } catch (IOException _) {
      // it was seen through
    }
  }

  /** Answers with what it was asked, and has three events to follow. */
  private static final class PlayedDesk implements OperatorsDesk {
    private final CompletableFuture<Void> operatorGone = new CompletableFuture<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();

    @Override
    public Optional<byte[]> answer(String token, byte[] message) {
      String text = token + " asks " + new String(message, UTF_8);
      return message.length == 0 ? Optional.empty() : Optional.of(text.getBytes(UTF_8));
    }

    @Override
    public Admission follow(
        String token,
        String query,
        Optional<String> lastSeen,
        CompletableFuture<?> gone,
        Runnable hangUp) {
      asked.add("%s %s %s".formatted(token, query, lastSeen));
      CompletableFuture<Void> _ = gone.thenRun(() -> operatorGone.complete(null));
      return switch (query) {
        case "?busy" -> new Admission.Refused(Admission.Why.NOT_NOW, "too many follow");
        case "?wrong" -> new Admission.Refused(Admission.Why.WRONG, "no such parameter");
        default -> new Admission.Following(Flux.just(line(1), line(2), line(3)));
      };
    }

    private static byte[] line(int number) {
      return "id: %d\ndata: é\n\n".formatted(number).getBytes(UTF_8);
    }
  }

  private static Draft draft(String name, String key, String value) {
    return Draft.of(
        UUID.randomUUID().toString(),
        name,
        "1",
        Instant.now(),
        Set.of(new Tag(key, value)),
        "{\"é\":1}".getBytes(UTF_8),
        "{}".getBytes(UTF_8));
  }

  private Journal opened() {
    JournalSettings settings =
        new JournalSettings(
            new JournalSettings.Embedded(temp.resolve("journal")),
            Durability.PROCESS,
            "owner",
            temp.resolve("checkpoint.key"),
            temp.resolve("checkpoint"),
            JournalLimits.DEFAULT);
    return switch (Journal.open(settings)) {
      case Journal.Opening.Opened(var opened) -> opened;
      case Journal.Opening.Refused(var sentence) -> throw new AssertionError(sentence);
    };
  }
}
