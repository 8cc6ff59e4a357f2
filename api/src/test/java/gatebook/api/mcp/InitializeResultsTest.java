package gatebook.api.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.mcp.McpSession.SourceOpening;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Listing;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.api.upstream.Upstream.MissingPart;
import gatebook.api.upstream.Upstream.Opening;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.Upstream.Session;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.Source;
import gatebook.command.rules.Source.Kind;
import gatebook.events.fault.UpstreamFault.UpstreamConnectionFailed;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class InitializeResultsTest {

  private static final String ASKED =
      """
      {"protocolVersion":"2025-06-18"}\
      """;

  private final InitializeResults initializeResults = new InitializeResults("9");

  @Test
  void aSingleResultIsPassedOnUnchanged() {
    String words =
        """
        { "protocolVersion":"2025-06-18", "x":1.0 }\
        """;

    assertThat(initializeResults.of(List.of(opened("one", words)), ASKED))
        .isEqualTo(new Ended.Result(words, false));
  }

  @Test
  void severalResultsMergeToTheOldestRevisionAndAllCapabilities() {
    SourceOpening one =
        opened(
            "one",
            """
            {"protocolVersion":"2025-11-25",
             "capabilities":{"tools":{"listChanged":false},"logging":{}},
             "serverInfo":{"name":"a","version":"1"},
             "instructions":"be kind"}\
            """);
    SourceOpening two =
        opened(
            "two",
            """
            {"protocolVersion":"2025-06-18",
             "capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true}},
             "instructions":"be brief"}\
            """);

    assertThat(initializeResults.of(List.of(one, two), ASKED))
        .isEqualTo(
            new Ended.Result(
                """
                {"protocolVersion":"2025-06-18",\
                "capabilities":{"logging":{},"resources":{"subscribe":true},\
                "tools":{"listChanged":true}},\
                "serverInfo":{"name":"gatebook","version":"9"},\
                "instructions":"be kind\\n\\nbe brief"}\
                """,
                false));
  }

  @Test
  void aFailedSourceIsMissingUnlessAllFailed() {
    Source gone = source("gone");
    SourceOpening failed =
        new SourceOpening(gone, new Opening.Failed(new Response.NotConnected("refused")));
    Ended refused =
        new Ended.Failure(
            new UpstreamConnectionFailed("gone", "http://127.0.0.1:1/gone", "refused", 1));
    SourceOpening here =
        opened(
            "here",
            """
            {"protocolVersion":"2025-11-25","capabilities":{"prompts":{}}}\
            """);

    assertThat(initializeResults.of(List.of(failed, here), ASKED))
        .isEqualTo(
            new Ended.Result(
                """
                {"protocolVersion":"2025-11-25",\
                "capabilities":{"prompts":{}},\
                "serverInfo":{"name":"gatebook","version":"9"},\
                "_meta":{"gatebook/partial":true}}\
                """,
                false,
                List.of(new MissingPart(gone, refused))));
    assertThat(initializeResults.of(List.of(failed), ASKED)).isEqualTo(refused);
  }

  @Test
  void aSourceWithoutSessionsHasTools() {
    assertThat(
            initializeResults.of(
                List.of(new SourceOpening(source("demo"), new Opening.None())), ASKED))
        .isEqualTo(
            new Ended.Result(
                """
                {"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"gatebook","version":"9"}}\
                """,
                false));
  }

  private static SourceOpening opened(String id, String initializeResult) {
    return new SourceOpening(
        source(id), new Opening.Opened(new InitializedSession(id, initializeResult)));
  }

  private static Source source(String id) {
    return FixedToolsUpstream.source(id, Kind.MCP, "", ExposeRules.ALL);
  }

  /** A session with a fixed result of {@code initialize}. */
  private record InitializedSession(String source, String initializeResult) implements Session {
    @Override
    public String endpoint() {
      return "nowhere";
    }

    @Override
    public long timeoutMillis() {
      return 200;
    }

    @Override
    public CompletableFuture<Response> call(Call call, MessageListener listener) {
      throw new AssertionError("not called");
    }

    @Override
    public CompletableFuture<Listing> listTools() {
      throw new AssertionError("not listed");
    }

    @Override
    public Runnable listen(MessageListener listener) {
      throw new AssertionError("not listened to");
    }

    @Override
    public CompletableFuture<Response> reply(byte[] answer) {
      throw new AssertionError("not replied to");
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }
}
