package gatebook.api.approvals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code gatebook approvals}: the calls that wait for a person. */
@Command(
    name = "approvals",
    description = "Shows the calls that wait for a person, oldest first.",
    footer = {"", "Example: gatebook approvals --data ./gatebook-data"})
public final class ApprovalsCommand implements Callable<Integer> {

  private static final List<String> COLUMNS =
      List.of("callId", "tool", "principal", "workflow", "requestedAt", "deadline");

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server = new ServerOptions(System.getenv());

  @Option(names = "--json", description = "Prints one JSON document.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    return new Asking(spec, server, json).ask("approvals.list", Asking.params(), this::table);
  }

  private int table(JsonNode result) {
    PrintWriter out = spec.commandLine().getOut();
    if (result.path("approvals").isEmpty()) {
      out.println("nothing waits");
    } else {
      lines(result.path("approvals")).forEach(out::println);
    }
    if (result.path("more").asBoolean()) {
      out.println("and more");
    }
    return ExitCode.OK;
  }

  private static List<String> lines(JsonNode approvals) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(COLUMNS);
    approvals.forEach(
        approval -> rows.add(COLUMNS.stream().map(it -> cell(approval.path(it))).toList()));
    return rows.stream().map(row -> line(row, rows)).toList();
  }

  private static String line(List<String> row, List<List<String>> all) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      int column = i;
      int width = all.stream().mapToInt(it -> it.get(column).length()).max().orElse(0);
      line.append(row.get(i)).repeat(' ', width - row.get(i).length() + 2);
    }
    return line.toString().stripTrailing();
  }

  /** What a caller chose as a name must not steer a terminal. */
  private static String cell(@Nullable JsonNode value) {
    return value == null ? "" : value.asText("").replaceAll("\\p{Cntrl}", "?");
  }
}
