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
import gatebook.events.Requires;
import gatebook.events.TreeTaskCreated;
import gatebook.events.journal.checkpoint.VerifierKey;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Case files of a node, checked by both checkers. */
@Timeout(300)
final class CaseFilesTest {
  @RegisterExtension static final TestNodes NODES = new TestNodes();

  private static final int EDITS = 1_000;

  private static CaseCheckers checkers;
  private static SmallChecker smallChecker;

  @BeforeAll
  static void compile() {
    checkers = CaseCheckers.in(NODES.folder());
    smallChecker = checkers.small();
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

  /** The policies are in the event of the rules, which only an admin gets. */
  @Test
  void callThatNoPolicyPermitsIsAcceptedWithItsPolicies() throws IOException {
    Path folder = NODES.folder();
    Files.writeString(folder.resolve("p.cedar"), "forbid (principal, action, resource);");
    String rules =
        CaseKind.RULES.replace("action: deny", "action: policy, policy_id: p1")
            + "cedar: {policies: [p.cedar]}\n";
    WatchedNode node = NODES.own(folder, rules);

    byte[] file = caseFile(node, NodeCaller.ALICE, CaseKind.tool(node, "delete_all"));

    assertThat(accepted(file, node).events().toString()).contains("PolicyDenied", "forbid (");
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
    assertRefused(node, file, it -> it.remove(first + "original-key"));
    assertRefused(node, file, it -> swap(it, first + "key", first + "original-key"));
    assertRefused(node, file, it -> it.put(second + "original-key", new byte[32]));
    assertRefused(node, file, it -> it.remove(first + "payload"));
    assertRefused(node, file, it -> it.remove("redactions"));
    assertRefused(node, file, it -> it.put("more", new byte[0]));
    assertRefused(node, file, it -> it.put("events/9999999999999999999/envelope", new byte[99]));
    assertRefused(node, file, it -> it.put("../README.txt", new byte[0]));
    assertRefused(node, file, it -> it.put(first + "../more", new byte[0]));
    assertRefused(node, file, it -> it.put("/etc/more", new byte[0]));
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
    var _ = checkers.refused(signed(node, file, edit), key(node));
  }

  @Test
  void keysAndRulesNeedTheirRoles() throws IOException {
    WatchedNode node = NODES.shared(CaseKind.RULES);
    String call = CaseKind.tool(node, "delete_all");

    byte[] all = caseFile(node, NodeCaller.ALICE, call);
    byte[] withArguments = caseFile(node, CaseKind.CAROL, call);
    byte[] withoutArguments = caseFile(node, CaseKind.BOB, call);

    assertThat(text(all)).contains(CaseKind.SAID).contains("token_hash");
    assertThat(opened(all, node)).contains(CaseKind.SECRET); // the key of the original opens it
    assertThat(text(all)).doesNotContain(CaseKind.SECRET);
    assertThat(hidden(withArguments, node))
        .containsExactly("payload role-admin", "original role-admin");
    assertThat(text(withArguments))
        .contains(CaseKind.SAID)
        .doesNotContain("token_hash")
        .doesNotContain(CaseKind.SECRET);
    assertThat(opened(withArguments, node)).contains(CaseKind.SAID).doesNotContain(CaseKind.SECRET);
    assertThat(hidden(withoutArguments, node))
        .containsExactly(
            "payload role-admin",
            "content role-arguments",
            "original role-arguments",
            "content role-arguments");
    assertThat(text(withoutArguments))
        .doesNotContain("token_hash")
        .doesNotContain(CaseKind.SAID)
        .doesNotContain(CaseKind.SECRET);
    assertThat(CaseEdits.members(withoutArguments).keySet()).noneMatch(it -> it.endsWith("/key"));
  }

  /** What the small checker opens with the keys of the file. */
  private static String opened(byte[] file, WatchedNode node) {
    return String.join("\n", smallChecker.shown(file, key(node).text()).orElseThrow());
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
    assertThat(hidden(after, node))
        .containsExactly("content erased", "original erased", "content erased");
    assertThat(hidden(caseFile(node, CaseKind.BOB, call), node)).contains("content erased");
    assertThat(text(after)).doesNotContain(CaseKind.SAID);
    assertThat(CaseEdits.members(after).keySet()).noneMatch(it -> it.endsWith("/key"));
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

  @Test
  void idOfATaskGivesItsTree() throws IOException {
    WatchedNode node = NODES.shared(CaseKind.RULES);
    String tree = CaseKind.TREE.provocation.provoke(node);
    List<String> subjects = accepted(caseFile(node, NodeCaller.ALICE, tree), node).subjects();
    String task =
        node.events().stream()
            .filter(TreeTaskCreated.class::isInstance)
            .map(event -> ((TreeTaskCreated) event).taskId())
            .findFirst()
            .orElseThrow();

    assertThat(subjects).startsWith("tree:" + tree).hasSizeGreaterThan(2);
    assertThat(accepted(caseFile(node, NodeCaller.ALICE, task), node).subjects())
        .isEqualTo(subjects);
    for (String call : subjects.subList(1, subjects.size())) {
      String id = call.substring("call:".length());
      assertThat(accepted(caseFile(node, NodeCaller.ALICE, id), node).subjects())
          .containsExactly(call);
    }
  }

  /** A call that is denied has three events, and its rules are one. */
  @Test
  void limitsOfEventsAndBytesAreKept() throws IOException {
    String limits = "limits: {case_events_max: %d, case_bytes_max: 65536}\n";
    WatchedNode four = NODES.own(CaseKind.RULES + limits.formatted(4));
    WatchedNode three = NODES.own(CaseKind.RULES + limits.formatted(3));
    String large = "{\"name\":\"delete_all\",\"arguments\":{\"said\":\"%s\"}}";

    assertThat(accepted(caseFile(four, NodeCaller.ALICE, CaseKind.tool(four, "delete_all")), four))
        .extracting(it -> it.events().size())
        .isEqualTo(4);
    assertThat(message(three, CaseKind.tool(three, "delete_all")))
        .isEqualTo(
            "the case file would have more than 3 events, with those of its rules: ask for one"
                + " call of a tree, or raise limits.case_events_max in the rules");
    String whole = large.formatted("a".repeat(5_000));
    accepted(
        caseFile(four, NodeCaller.ALICE, CaseKind.callId(four.joe().mcp("tools/call", whole))),
        four);
    String cut = large.formatted("a".repeat(60_000));
    assertThat(message(four, CaseKind.callId(four.joe().mcp("tools/call", cut))))
        .isEqualTo(
            "the case file would have more than 65536 bytes: raise limits.case_bytes_max in the"
                + " rules");
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
        .contains(CaseKind.SECRET)
        .contains("accepted: 4 events in the log " + key(node).name());
    assertThat(accepted.waitFor()).isZero();

    for (String member :
        List.of("payload", "envelope", "key", "original-key", "metadata", "proof.tlog-proof")) {
      Path edited = unzipped(file);
      String name =
          CaseEdits.members(file).keySet().stream()
              .filter(it -> it.endsWith("/" + member))
              .reduce((_, last) -> last)
              .orElseThrow();
      byte[] content = Files.readAllBytes(edited.resolve(name));
      content[content.length / 2] ^= 2;
      Files.write(edited.resolve(name), content);
      Process refused = openssl(edited, key(node).text());
      assertThat(new String(refused.getInputStream().readAllBytes(), UTF_8)).contains("WRONG: ");
      assertThat(refused.waitFor()).isNotZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {17, 25})
  void smallCheckerRunsFromItsSource(int version) throws Exception {
    Path java = Requires.java(version);
    WatchedNode node = NODES.shared(CaseKind.RULES);
    byte[] bytes = caseFile(node, NodeCaller.ALICE, CaseKind.tool(node, "echo"));
    Path file = Files.write(NODES.folder().resolve("case.zip"), bytes);
    Path edited =
        Files.write(NODES.folder().resolve("case.zip"), Arrays.copyOf(bytes, bytes.length / 2));
    String key = key(node).text();
    Path keyFile = Files.writeString(NODES.folder().resolve("key"), key + "\n");

    assertThat(ran(java, file, key)).startsWith("0 accepted: in ");
    assertThat(ran(java, file, keyFile, bytes.length)).startsWith("0 accepted: in ");
    assertThat(ran(java, edited, key)).matches("1 refused: [ -~]+\n");
    assertThat(ran(java, file, key, bytes.length - 1))
        .isEqualTo("2 usage: FILE VERIFIERKEY [BYTES_MAX]: the file is larger than BYTES_MAX\n");
    assertThat(ran(java, file)).matches("2 usage: [ -~]+\n");
    assertThat(Files.readAllLines(SmallChecker.FILE)).hasSizeLessThanOrEqualTo(300);
  }

  /** The exit code of the small checker, and what it printed. */
  private static String ran(Path java, Object... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(java.toString(), SmallChecker.FILE.toString()));
    Stream.of(arguments).map(Object::toString).forEach(command::add);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    return process.waitFor() + " " + printed;
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
    return checkers.accepted(file, key(node));
  }

  private static VerifierKey key(WatchedNode node) {
    return node.journal().verifier();
  }

  private static String text(byte[] file) {
    return new String(file, UTF_8);
  }

  private static byte[] caseFile(WatchedNode node, String token, String id) throws IOException {
    return CaseKind.caseFile(node, token, id);
  }
}
