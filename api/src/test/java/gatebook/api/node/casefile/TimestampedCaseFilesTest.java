package gatebook.api.node.casefile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.casefile.CaseCheck;
import gatebook.api.casefile.CaseEdits;
import gatebook.api.casefile.CaseVerdict;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.TestNodes;
import gatebook.api.node.WatchedNode;
import gatebook.api.timestamp.OpensslAuthority;
import gatebook.api.timestamp.TrustedAuthorities;
import gatebook.events.journal.checkpoint.VerifierKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Case files of a node whose rules name an authority for timestamps. */
@Timeout(300)
final class TimestampedCaseFilesTest {
  @RegisterExtension static final TestNodes NODES = new TestNodes();

  private static SmallChecker smallChecker;

  @TempDir private Path folder;
  @TempDir private Path elsewhere;
  private OpensslAuthority authority;
  private WatchedNode node;

  @BeforeAll
  static void compile() {
    smallChecker = SmallChecker.in(NODES.folder());
  }

  @BeforeEach
  void start() throws IOException {
    authority = new OpensslAuthority(folder);
    node = NODES.own(CaseKind.RULES + "timestamp: " + authority.url() + "\n");
  }

  @AfterEach
  void stop() {
    authority.close();
  }

  private byte[] caseFile() throws IOException {
    String answer =
        node.operator(
                NodeCaller.ALICE,
                "audit.case",
                "{\"id\":\"%s\"}".formatted(CaseKind.tool(node, "echo")))
            .at("/result/file")
            .asText();
    return Base64.getDecoder().decode(answer);
  }

  private VerifierKey key() {
    return node.journal().verifier();
  }

  private static Optional<TrustedAuthorities> trusted(OpensslAuthority by) throws IOException {
    return TrustedAuthorities.of(Files.readAllBytes(by.root()));
  }

  @Test
  void checkpointIsTimestamped() throws IOException {
    byte[] file = caseFile();

    CaseVerdict.Accepted shown = (CaseVerdict.Accepted) CaseCheck.check(file, key());
    CaseVerdict.Accepted trusted =
        (CaseVerdict.Accepted) CaseCheck.check(file, key(), trusted(authority));
    assertThat(shown.notShown()).isEmpty();
    assertThat(shown.timestamp().orElseThrow().authority()).isEqualTo("CN=Time,O=Example");
    assertThat(shown.timestamp().orElseThrow().isTrusted()).isFalse();
    assertThat(trusted.timestamp().orElseThrow().isTrusted()).isTrue();
    assertThat(smallChecker.shown(file, key().text()).orElseThrow())
        .contains("timestamp: present, not checked");
    try (OpensslAuthority other = new OpensslAuthority(elsewhere)) {
      assertThat(CaseCheck.check(file, key(), trusted(other)))
          .isEqualTo(
              new CaseVerdict.Refused(
                  "its timestamp is by CN=Time,O=Example, which no given certificate vouches for"));
    }
  }

  @Test
  void stepForOpensslWorks() throws Exception {
    byte[] file = caseFile();
    String step =
        Files.readAllLines(Path.of("EVIDENCE.md")).stream()
            .filter(line -> line.startsWith("openssl ts -verify"))
            .findFirst()
            .orElseThrow();
    for (String member : new String[] {"checkpoint", "timestamp"}) {
      Files.write(folder.resolve(member), CaseEdits.members(file).get(member));
    }
    Files.copy(authority.root(), folder.resolve("authority.pem"));

    assertThat(sh(step)).contains("Verification: OK");
    Files.writeString(folder.resolve("checkpoint"), "another\n");
    assertThat(sh(step)).doesNotContain("Verification: OK");
  }

  private String sh(String step) throws IOException {
    Process process =
        new ProcessBuilder("sh", "-c", step)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    return new String(process.getInputStream().readAllBytes(), UTF_8);
  }

  @Test
  void timestampOfAnotherCheckpointIsRefused() throws IOException {
    byte[] earlier = CaseEdits.members(caseFile()).get("timestamp");
    byte[] file = caseFile();

    byte[] edited =
        CaseEdits.signed(
            file,
            members -> members.put("timestamp", earlier),
            text -> node.journal().signNote(text, key().name()).orElseThrow());

    assertThat(CaseCheck.check(edited, key()))
        .isEqualTo(new CaseVerdict.Refused("its timestamp is of something else"));
  }

  @Test
  void fileWithoutTheTimestampSaysSo() throws IOException {
    authority.answer(_ -> "<html>".getBytes(UTF_8));
    byte[] file = caseFile();

    CaseVerdict.Accepted accepted = (CaseVerdict.Accepted) CaseCheck.check(file, key());
    assertThat(accepted.notShown()).containsExactly("timestamp checkpoint not-valid");
    assertThat(accepted.timestamp()).isEmpty();
    assertThat(smallChecker.shown(file, key().text())).isPresent();
    assertThat(CaseCheck.check(file, key(), trusted(authority)))
        .isEqualTo(new CaseVerdict.Refused("it has no timestamp"));
  }
}
