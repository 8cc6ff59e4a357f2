package gatebook.api.operator;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.query.verification.Acceptance;
import gatebook.query.verification.Finding;
import gatebook.query.verification.Report;
import java.util.Map;
import java.util.TreeMap;

/** A verification's report as JSON: what a server answers, and what the command line prints. */
public final class Verifications {
  private static final JsonMapper JSON = new JsonMapper();

  private Verifications() {}

  /**
   * The report.
   *
   * @param key what the checkpoints were checked with, to be kept elsewhere
   */
  public static ObjectNode json(Report report, VerifierKey key) {
    ObjectNode json =
        JSON.createObjectNode()
            .put("clean", report.clean())
            .put("failing", report.failing())
            .put("accepted", report.accepted())
            .put("notTold", report.more());
    json.set("totals", JSON.valueToTree(report.totals()));
    json.put("verifierKey", key.text());
    Map<String, Long> counts = new TreeMap<>(report.counts());
    json.set("counts", JSON.valueToTree(counts));
    ArrayNode findings = json.putArray("findings");
    report.found().forEach(found -> findings.add(json(found)));
    return json;
  }

  private static ObjectNode json(Report.Found found) {
    Finding finding = found.finding();
    ObjectNode json =
        JSON.createObjectNode().put("kind", finding.kind()).put("message", finding.words());
    json.setAll((ObjectNode) JSON.valueToTree(finding));
    json.set("accepted", JSON.valueToTree(found.accepted().map(Verifications::json).orElse(null)));
    return json;
  }

  private static Map<String, Object> json(Acceptance acceptance) {
    return Map.of(
        "position",
        acceptance.position(),
        "size",
        acceptance.size(),
        "operator",
        acceptance.operator(),
        "reason",
        acceptance.reason());
  }
}
