package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.proof.ConformancePage.Pair;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
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

  /** The tool reads a subscription for 0.8 s, in which a busy machine may send nothing. */
  private static final Set<String> SHORT_CHECKS =
      Set.of(
          "server-stateless / sep-2575-server-sends-subscription-ack",
          "server-stateless / sep-2575-server-tags-subscription-id");

  private static final int RUNS_MAX = 3;

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
      Pair pair = run(fixture, server, revision, folder.resolve("1"));
      for (int run = 2; run <= RUNS_MAX && differsInShortChecksOnly(pair); run++) {
        System.out.println("conformance differs in run " + (run - 1) + ": " + pair.differences());
        pair = run(fixture, server, revision, folder.resolve("" + run));
      }
      return pair;
    }
  }

  private static boolean differsInShortChecksOnly(Pair pair) {
    return !pair.differences().isEmpty()
        && pair.differences().stream().allMatch(it -> SHORT_CHECKS.contains(it.check()));
  }

  private static Pair run(
      FixtureServer fixture, ServerProcess server, ProtocolRevision revision, Path folder) {
    return new Pair(
        ConformanceResult.of(fixture.url(), revision, folder.resolve("directly")),
        ConformanceResult.of(server.mcp(), revision, folder.resolve("through")));
  }
}
