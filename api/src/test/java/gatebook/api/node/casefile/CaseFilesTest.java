package gatebook.api.node.casefile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.casefile.CaseCheck;
import gatebook.api.casefile.CaseEdits;
import gatebook.api.casefile.CaseVerdict;
import gatebook.api.casefile.CheckedEvent;
import gatebook.api.http.Port;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.TestNodes;
import gatebook.api.node.WatchedNode;
import gatebook.events.journal.archive.DirectoryTarget;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.segment.SegmentLocation;
import gatebook.events.journal.segment.archive.SegmentRetention;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Case files of a node, checked by both checkers. */
@Timeout(300)
final class CaseFilesTest {
  @RegisterExtension static final TestNodes NODES = new TestNodes();

  private static final int EDITS = 1_000;

  private static SmallChecker smallChecker;

  @BeforeAll
  static void compile() {
    smallChecker = SmallChecker.in(NODES.folder());
  }

  @ParameterizedTest
  @EnumSource
  void everyKindOfCallIsAcceptedByBothCheckers(CaseKind kind) throws IOException {
    WatchedNode node = NODES.shared(CaseKind.RULES);
    String id = kind.provocation.provoke(node);

    byte[] file = caseFile(node, NodeCaller.ALICE, id);

    CaseVerdict.Accepted accepted = accepted(file, node);
    assertThat(accepted.events()).extracting(CheckedEvent::name).contains(kind.last);
    assertThat(accepted.events().size()).isGreaterThan(kind == CaseKind.TREE ? 12 : 0);
    assertThat(accepted.events()).allMatch(it -> List.of("opened", "plain").contains(it.content()));
    assertThat(accepted.notShown()).isEmpty();
    List<String> lines = smallChecker.shown(file, key(node).text()).orElseThrow();
    for (CheckedEvent event : accepted.events()) {
      assertThat(lines)
          .contains("%d %s gatebook.%s".formatted(event.position(), event.at(), event.name()));
    }
  }

  @Test
  void aCaseFileHasTheNewestCosignedCheckpoint() throws IOException {
    WatchedNode node = NODES.own(CaseKind.RULES);
    Path folder = NODES.folder();
    WatchedNode witness =
        NODES.own(
            folder,
            CaseKind.RULES
                + "witness: {name: witness.example/w, logs: [\"%s\"]}\n"
                    .formatted(key(node).text()));
    String witnessKey = Files.readString(folder.resolve("data/witness/cosigning.pub")).strip();
    String id = CaseKind.tool(node, "echo");
    node.change(
        "gatebook.yaml",
        CaseKind.RULES
            + """
            witnesses:
              interval: 1s
              policy: |
                witness w %s http://127.0.0.1:%d/witness
                quorum w
            """
                .formatted(witnessKey, witness.at(Port.CALLERS).port()));
    long position = node.journal().head();
    await().until(() -> cosigned(node), it -> it >= position);

    byte[] file = caseFile(node, NodeCaller.ALICE, id);

    accepted(file, node);
    assertThat(smallChecker.shown(file, key(node).text())).isPresent();
    SortedMap<String, byte[]> members = CaseEdits.members(file);
    assertThat(new String(members.get("checkpoint"), UTF_8))
        .contains("\n\u2014 witness.example/w ");
    assertThat(new String(members.get("policy"), UTF_8))
        .isEqualTo("log %s\nwitness w %s\nquorum w\n".formatted(key(node).text(), witnessKey));
  }

  private static long cosigned(WatchedNode node) throws IOException {
    return node.operator(NodeCaller.ALICE, "node.status", "{}")
        .at("/result/witnesses/cosigned/position")
        .asLong();
  }

  @Test
  void everyRandomEditIsRefusedByBothCheckers() throws IOException {
    WatchedNode node = NODES.shared(CaseKind.RULES);
    byte[] file = caseFile(node, NodeCaller.ALICE, CaseKind.tool(node, "delete_all"));
    String key = accepted(file, node) == null ? "" : key(node).text();
    long seed = new Random().nextLong();
    Random random = new Random(seed);

    for (int i = 0; i < EDITS; i++) {
      byte[] edited = CaseEdits.random(file, random);
      assertThat(CaseCheck.check(edited, key(node)))
          .as("seed %d, edit %d", seed, i)
          .isInstanceOf(CaseVerdict.Refused.class);
      assertThat(smallChecker.shown(edited, key)).as("seed %d, edit %d", seed, i).isEmpty();
    }
  }

  /** What only the holder of the signing key could make is refused by what the log commits to. */
  @Test
  void signedFilesThatTheLogLacksAreRefused() throws IOException {
    WatchedNode node = NODES.shared(CaseKind.RULES);
    byte[] other = caseFile(node, NodeCaller.ALICE, CaseKind.tool(node, "echo"));
    byte[] file = caseFile(node, NodeCaller.ALICE, CaseKind.tool(node, "delete_all"));
    List<String> sealed =
        CaseEdits.members(file).keySet().stream().filter(it -> it.endsWith("/key")).toList();
    assertThat(sealed).hasSizeGreaterThan(1);
    String first = sealed.getFirst().replace("key", "");
    String second = sealed.getLast().replace("key", "");

    accepted(signed(node, file, _ -> {}), node);
    assertRefused(node, file, it -> swap(it, first + "key", second + "key"));
    assertRefused(node, file, it -> swap(it, first + "payload", second + "payload"));
    assertRefused(node, file, it -> swap(it, first + "envelope", second + "envelope"));
    assertRefused(
        node, file, it -> swap(it, first + "proof.tlog-proof", second + "proof.tlog-proof"));
    assertRefused(node, file, it -> it.put(first + "metadata", "{\"a\":1}".getBytes(UTF_8)));
    assertRefused(node, file, it -> it.remove(first + "key"));
    assertRefused(node, file, it -> it.remove(first + "payload"));
    assertRefused(node, file, it -> it.remove("redactions"));
    assertRefused(node, file, it -> it.put("more", new byte[0]));
    assertRefused(node, file, it -> it.keySet().removeIf(name -> name.startsWith("events/")));
    assertRefused(
        node, file, it -> it.put("checkpoint", CaseEdits.members(other).get("checkpoint")));
    assertRefused(node, file, it -> it.putAll(ofEvents(other)));
  }

  private static SortedMap<String, byte[]> ofEvents(byte[] file) {
    SortedMap<String, byte[]> members = CaseEdits.members(file);
    members.keySet().removeIf(name -> !name.startsWith("events/"));
    return members;
  }

  private static void swap(SortedMap<String, byte[]> members, String one, String other) {
    byte[] content = members.get(one);
    members.put(one, members.get(other));
    members.put(other, content);
  }

  private static byte[] signed(
      WatchedNode node, byte[] file, Consumer<SortedMap<String, byte[]>> edit) {
    return CaseEdits.signed(
        file, edit, text -> node.journal().signNote(text, key(node).name()).orElseThrow());
  }

  private static void assertRefused(
      WatchedNode node, byte[] file, Consumer<SortedMap<String, byte[]>> edit) {
    byte[] edited = signed(node, file, edit);
    assertThat(CaseCheck.check(edited, key(node))).isInstanceOf(CaseVerdict.Refused.class);
    assertThat(smallChecker.shown(edited, key(node).text())).isEmpty();
  }

  @Test
  void keysAndRulesNeedTheirRoles() throws IOException {
    WatchedNode node = NODES.shared(CaseKind.RULES);
    String call = CaseKind.tool(node, "delete_all");

    byte[] all = caseFile(node, NodeCaller.ALICE, call);
    byte[] withArguments = caseFile(node, CaseKind.CAROL, call);
    byte[] withoutArguments = caseFile(node, CaseKind.BOB, call);

    assertThat(text(all)).contains(CaseKind.SAID).contains("token_hash");
    assertThat(String.join("\n", smallChecker.shown(all, key(node).text()).orElseThrow()))
        .contains(CaseKind.SECRET); // the key opens the original
    assertThat(text(all)).doesNotContain(CaseKind.SECRET);
    assertThat(hidden(withArguments, node))
        .containsExactly("payload role-admin", "content role-admin");
    assertThat(text(withArguments)).doesNotContain("token_hash").doesNotContain(CaseKind.SECRET);
    assertThat(hidden(withoutArguments, node))
        .containsExactly("payload role-admin", "content role-arguments", "content role-arguments");
    assertThat(text(withoutArguments))
        .doesNotContain("token_hash")
        .doesNotContain(CaseKind.SAID)
        .doesNotContain(CaseKind.SECRET);
    assertThat(CaseEdits.members(withoutArguments).keySet()).noneMatch(it -> it.endsWith("/key"));
  }

  /** Without positions. */
  private static List<String> hidden(byte[] file, WatchedNode node) {
    return accepted(file, node).notShown().stream()
        .map(line -> line.replaceAll(" [0-9]+ ", " "))
        .toList();
  }

  @Test
  void erasedContentSaysErased() throws IOException {
    WatchedNode node = NODES.own(CaseKind.RULES);
    String call = CaseKind.tool(node, "delete_all");
    byte[] before = caseFile(node, NodeCaller.ALICE, call);

    node.erase("joe");
    byte[] after = caseFile(node, NodeCaller.ALICE, call);

    assertThat(accepted(before, node).notShown()).isEmpty();
    assertThat(hidden(after, node)).containsExactly("content erased", "content erased");
    assertThat(hidden(caseFile(node, CaseKind.BOB, call), node)).contains("content erased");
    assertThat(text(after)).doesNotContain(CaseKind.SAID);
    assertThat(CaseEdits.members(after).keySet()).noneMatch(it -> it.endsWith("/key"));
  }

  @Test
  void archivedEventsAreInTheFile() throws IOException {
    Path folder = NODES.folder();
    Path archive = NODES.folder();
    SegmentLocation location =
        new SegmentLocation(folder.resolve("data/journal"))
            .with(
                new SegmentRetention(
                    Optional.of(Duration.ZERO),
                    OptionalLong.empty(),
                    Duration.ZERO,
                    Optional.of(() -> DirectoryTarget.open(archive)),
                    Duration.ofMillis(50)));
    try (WatchedNode node = WatchedNode.start(folder, CaseKind.RULES, location)) {
      String call = CaseKind.tool(node, "delete_all");
      long position = node.journal().head();
      await()
          .until(() -> {
            CaseKind.tool(node, "echo");
            return node.journal().isArchived(position);
          });

      assertThat(accepted(caseFile(node, NodeCaller.ALICE, call), node).events()).hasSize(4);
    }
  }

  /** The other checker says which key signed. */
  @Test
  void fileAfterRotationsIsAcceptedWithAnOldKey() throws IOException {
    WatchedNode node = NODES.own(CaseKind.RULES);
    String call = CaseKind.tool(node, "echo");
    VerifierKey old = key(node);
    JsonNode rotated = node.operator(NodeCaller.ALICE, "keys.rotate", "{\"key\":\"checkpoint\"}");
    assertThat(rotated.has("result")).as("%s", rotated).isTrue();
    VerifierKey between = key(node);
    node.operator(NodeCaller.ALICE, "keys.rotate", "{\"key\":\"checkpoint\"}");

    byte[] file = caseFile(node, NodeCaller.ALICE, call);

    assertThat(accepted(file, node).key()).isEqualTo(key(node).label());
    assertThat(accepted(file, node).replaced()).isEmpty();
    assertThat(replaced(file, between))
        .singleElement()
        .asString()
        .startsWith(key(node).label() + " replaced " + between.label() + " at position ");
    assertThat(replaced(file, old)).hasSize(2);
    assertThat(smallChecker.shown(file, old.text())).isEmpty();

    for (String member : List.of("checkpoint", "envelope", "payload", "proof.tlog-proof")) {
      byte[] swapped = signed(node, file, members -> swapRotations(members, member));
      assertThat(CaseCheck.check(swapped, old)).isInstanceOf(CaseVerdict.Refused.class);
      assertThat(CaseCheck.check(swapped, key(node))).isInstanceOf(CaseVerdict.Refused.class);
    }
    byte[] without =
        signed(
            node,
            file,
            members -> members.keySet().removeIf(name -> name.startsWith("rotations/")));
    assertThat(((CaseVerdict.Refused) CaseCheck.check(without, old)).sentence())
        .startsWith("it is signed by " + key(node).label() + " and not by the given key");
  }

  private static List<String> replaced(byte[] file, VerifierKey key) {
    return ((CaseVerdict.Accepted) CaseCheck.check(file, key)).replaced();
  }

  private static void swapRotations(SortedMap<String, byte[]> members, String member) {
    List<String> names =
        members.keySet().stream()
            .filter(name -> name.startsWith("rotations/") && name.endsWith("/" + member))
            .toList();
    swap(members, names.getFirst(), names.getLast());
  }

  @Test
  void pageRunsNothingThatWasRecorded() throws IOException {
    WatchedNode node = NODES.shared(CaseKind.RULES);
    String text = "</pre><script>alert(1)</script><img src='http://127.0.0.1:1/'>";
    String call =
        CaseKind.callId(
            node.joe()
                .mcp(
                    "tools/call",
                    "{\"name\":\"echo\",\"arguments\":{\"\\u202eb\":\"%s\"}}".formatted(text)));

    byte[] file = caseFile(node, NodeCaller.ALICE, call);
    String page = text(Objects.requireNonNull(CaseEdits.members(file).get("page.html")));

    assertThat(page)
        .contains("&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=")
        .contains("⟨U+202E⟩")
        .contains("default-src 'none'")
        .doesNotContain("<script", "<img", "<a ", "\u202e");
  }

  @Test
  void idOfSeveralCallsIsRefused() throws IOException {
    WatchedNode node = NODES.shared(CaseKind.RULES);
    for (int i = 0; i < 2; i++) {
      node.joe().send("/mcp", "twice", WatchedNode.toolCall("echo"));
    }

    assertThat(message(node, "twice")).startsWith("this id matches several calls or trees: ");
    assertThat(message(node, "no-such-id")).startsWith("no call and no tree up to position ");
  }

  private static String message(WatchedNode node, String id) throws IOException {
    return node.operator(NodeCaller.ALICE, "audit.case", "{\"id\":\"" + id + "\"}")
        .at("/error/message")
        .asText();
  }

  /** The steps for openssl in the file itself, run by a shell. */
  @Test
  void stepsForOpensslWork() throws Exception {
    WatchedNode node = NODES.shared(CaseKind.RULES);
    byte[] file = caseFile(node, NodeCaller.ALICE, CaseKind.tool(node, "delete_all"));
    Path folder = unzipped(file);

    Process accepted = openssl(folder, key(node).text());
    assertThat(new String(accepted.getInputStream().readAllBytes(), UTF_8))
        .contains(CaseKind.SAID)
        .contains("accepted: 4 events in the log " + key(node).name());
    assertThat(accepted.waitFor()).isZero();

    for (String member : List.of("payload", "envelope", "key", "proof.tlog-proof")) {
      Path edited = unzipped(file);
      Path event;
      try (var events = Files.list(edited.resolve("events"))) {
        event = events.sorted().toList().getLast();
      }
      byte[] content = Files.readAllBytes(event.resolve(member));
      content[content.length / 2] ^= 2;
      Files.write(event.resolve(member), content);
      Process refused = openssl(edited, key(node).text());
      assertThat(new String(refused.getInputStream().readAllBytes(), UTF_8)).contains("WRONG: ");
      assertThat(refused.waitFor()).isNotZero();
    }
  }

  @Test
  void smallCheckerRunsFromItsSource() throws Exception {
    WatchedNode node = NODES.shared(CaseKind.RULES);
    Path file = NODES.folder().resolve("case.zip");
    byte[] bytes = caseFile(node, NodeCaller.ALICE, CaseKind.tool(node, "echo"));
    Files.write(file, bytes);
    bytes[bytes.length / 2] ^= 1;
    Path edited = Files.write(NODES.folder().resolve("case.zip"), bytes);

    assertThat(java(file.toString(), key(node).text())).isZero();
    assertThat(java(edited.toString(), key(node).text())).isEqualTo(1);
    assertThat(java(file.toString())).isEqualTo(2);
    assertThat(Files.readAllLines(SmallChecker.FILE)).hasSizeLessThanOrEqualTo(300);
  }

  private static int java(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                SmallChecker.FILE.toString()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  private static Process openssl(Path folder, String key) throws IOException {
    String readme = Files.readString(folder.resolve("README.txt"));
    String script =
        readme
            .lines()
            .dropWhile(line -> !line.endsWith("- check.sh"))
            .skip(1)
            .takeWhile(line -> !line.startsWith("-----"))
            .collect(Collectors.joining("\n", "", "\n"));
    Path file = Files.writeString(NODES.folder().resolve("check.sh"), script);
    return new ProcessBuilder("sh", file.toString(), key)
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .start();
  }

  /** Unpacked as any program does it. */
  private static Path unzipped(byte[] file) throws IOException {
    Path folder = NODES.folder();
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(file))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path member = folder.resolve(entry.getName());
        Files.createDirectories(member.getParent());
        Files.write(member, zip.readAllBytes());
      }
    }
    return folder;
  }

  private static CaseVerdict.Accepted accepted(byte[] file, WatchedNode node) {
    assertThat(smallChecker.shown(file, key(node).text())).isPresent();
    return switch (CaseCheck.check(file, key(node))) {
      case CaseVerdict.Accepted accepted -> accepted;
      case CaseVerdict.Refused(var sentence) -> throw new AssertionError(sentence);
    };
  }

  private static VerifierKey key(WatchedNode node) {
    return node.journal().verifier();
  }

  private static String text(byte[] file) {
    return new String(file, UTF_8);
  }

  private static byte[] caseFile(WatchedNode node, String token, String id) throws IOException {
    JsonNode answer = node.operator(token, "audit.case", "{\"id\":\"" + id + "\"}");
    assertThat(answer.path("error").toString()).isEmpty();
    return Base64.getDecoder().decode(answer.at("/result/file").asText());
  }
}
