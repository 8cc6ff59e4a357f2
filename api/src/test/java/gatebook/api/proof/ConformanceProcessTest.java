package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.proof.ConformancePage.Pair;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The conformance tool gets the same results through Gatebook, except for listed differences. */
@Order(1)
final class ConformanceProcessTest {
  private static final Path HOME = Path.of(System.getProperty("gatebook.root"));
  private static final Path PAGE = HOME.resolve("api/CONFORMANCE.md");

  @TempDir private Path temp;

  @Test
  void onlyListedConformanceChecksDifferThroughGatebook() throws Exception {
    SortedMap<ProtocolRevision, Pair> found = new TreeMap<>();
    for (ProtocolRevision revision : ProtocolRevision.values()) {
      found.put(revision, pair(revision));
    }
    ConformancePage page = new ConformancePage(found);

    String text = page.text(Files.readString(PAGE));
    if ("write".equals(System.getProperty("tables"))) {
      Files.writeString(PAGE, text);
    }
    assertThat(Files.readString(PAGE)).isEqualTo(text).doesNotContain(ConformancePage.NO_REASON);
    assertThat(Files.readString(HOME.resolve("api/MCP.md"))).contains(page.summary());
  }

  private Pair pair(ProtocolRevision revision) throws IOException {
    Path folder = Files.createDirectories(temp.resolve(revision.revision()));
    try (FixtureServer fixture = FixtureServer.start(revision);
        ServerProcess server =
            ServerProcess.start(
                ServerDirectory.forwardingAll(folder.resolve("node"), fixture.url()).directory(),
                ServerProcess.StartOptions.DEFAULTS)) {
      return new Pair(
          ConformanceResult.of(fixture.url(), revision, folder.resolve("directly")),
          ConformanceResult.of(server.mcp(), revision, folder.resolve("through")));
    }
  }
}
