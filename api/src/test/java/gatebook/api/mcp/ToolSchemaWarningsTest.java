package gatebook.api.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Listing;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.api.upstream.Upstream.Tool;
import gatebook.command.rules.Rules;
import gatebook.command.rules.file.RulesFile;
import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.events.RulesRejected.Mistake;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ToolSchemaWarningsTest {

  private static final Tool PAY =
      new Tool(
          "pay",
          """
          {"name":"pay","inputSchema":{"type":"object","properties":{"amount":{"type":"integer"}},\
          "required":["amount"]}}\
          """);

  @TempDir private Path directory;
  private Rules rules = Rules.NONE;

  @BeforeEach
  void read() throws IOException {
    Files.writeString(
        directory.resolve("p.cedar"),
        "permit (principal, action, resource) when { resource.arguments.amuont <= 100 };");
    Path file =
        Files.writeString(
            directory.resolve("rules.yaml"),
            """
            schema: 1
            sources:
              - {id: bank, kind: mcp, url: "http://127.0.0.1:1/mcp"}
              - {id: shop, kind: mcp, url: "http://127.0.0.1:2/mcp", prefix: shop_}
              - {id: off, kind: mcp, url: "http://127.0.0.1:3/mcp", prefix: off_, enabled: false}
            governance: {defaults: {action: forward}}
            cedar: {policies: [p.cedar]}
            """);
    Reading reading = RulesFile.at(file, Map.of(), Set.of()).read();
    assertThat(reading).isInstanceOf(Reading.Valid.class);
    rules = ((Reading.Valid) reading).rules();
  }

  @Test
  void anArgumentOfNoToolIsReportedWithItsPosition() {
    assertThat(warnings(Map.of("bank", tools(PAY), "shop", tools())))
        .containsExactly(
            new Mistake(
                "p.cedar",
                1,
                45,
                "`resource.arguments.amuont` is declared by no tool that the policy applies to:"
                    + " `pay` of `bank`"));
  }

  @Test
  void withoutAllSchemasThereAreNoWarnings() {
    Listing failed = new Listing.Failed(new Ended.Result("{}", false));

    assertThat(warnings(Map.of("bank", tools(PAY), "shop", failed))).isEmpty();
    assertThat(
            warnings(
                Map.of("bank", tools(PAY), "shop", tools(new Tool("any", "{\"name\":\"any\"}")))))
        .isEmpty();
  }

  private static Listing tools(Tool... tools) {
    return new Listing.Tools(List.of(tools));
  }

  private List<Mistake> warnings(Map<String, Listing> bySource) {
    return ToolSchemaWarnings.of(
            rules, source -> new ListingUpstream(Objects.requireNonNull(bySource.get(source.id()))))
        .join();
  }

  /** An upstream that only lists tools. */
  private record ListingUpstream(Listing listing) implements Upstream {
    @Override
    public String source() {
      return "told";
    }

    @Override
    public String endpoint() {
      return "here";
    }

    @Override
    public long timeoutMillis() {
      return 1;
    }

    @Override
    public CompletableFuture<Listing> listTools() {
      return CompletableFuture.completedFuture(listing);
    }

    @Override
    public CompletableFuture<Response> call(Call call, MessageListener listener) {
      throw new UnsupportedOperationException("nothing is called");
    }
  }
}
