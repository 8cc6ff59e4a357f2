package gatebook.api.operator.methods;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.query.verification.AcceptedMismatch;
import gatebook.query.verification.KeyCheck;
import gatebook.query.verification.VerificationFinding;
import gatebook.query.verification.VerificationReport;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** Writes a verification report as JSON, for the server's result and for the command line. */
public final class VerificationJson {
  private static final JsonMapper JSON = new JsonMapper();

  /** After files were copied, each stamp is one that cannot be trusted. */
  private static final int REFUSED_STAMPS_MAX = 100;

  private VerificationJson() {}

  /**
   * Writes the report.
   *
   * @param key the key that checked the checkpoints, to be kept outside the journal
   * @param missingKeys the content keys that are missing, of the events that were read
   */
  public static ObjectNode json(
      VerificationReport verificationReport, VerifierKey key, KeyCheck.Result missingKeys) {
    ObjectNode json =
        JSON.createObjectNode()
            .put("clean", verificationReport.clean())
            .put("failing", verificationReport.failing())
            .put("accepted", verificationReport.accepted())
            .put("notTold", verificationReport.omitted());
    json.set("totals", JSON.valueToTree(verificationReport.totals()));
    json.put("verifierKey", key.text());
    putBasis(verificationReport.basis(), json);
    verificationReport
        .dropped()
        .ifPresent(it ->
            json.putObject("dropped")
                .put("through", it.through())
                .put("throughAt", it.newestAt().toString())
                .put("events", it.events()));
    putMissingKeys(missingKeys, json);
    Map<String, Long> counts = new TreeMap<>(verificationReport.counts());
    json.set("counts", JSON.valueToTree(counts));
    ArrayNode findings = json.putArray("findings");
    verificationReport.found().forEach(found -> findings.add(json(found)));
    return json;
  }

  private static void putBasis(VerificationReport.Basis basis, ObjectNode json) {
    json.putObject("read")
        .put("everything", basis.stamps() == 0)
        .put("events", basis.readEvents())
        .set("ranges", JSON.valueToTree(basis.read()));
    json.putObject("stamped")
        .put("stamps", basis.stamps())
        .put("events", basis.stampedEvents())
        .put("oldestAt", basis.oldestStamp().map(Instant::toString).orElse(null))
        .set("ranges", JSON.valueToTree(basis.stamped()));
    json.putObject("refusedStamps")
        .put("count", basis.refusedStamps().size())
        .set(
            "stamps",
            JSON.valueToTree(basis.refusedStamps().stream().limit(REFUSED_STAMPS_MAX).toList()));
  }

  private static void putMissingKeys(KeyCheck.Result missingKeys, ObjectNode json) {
    json.putObject("missingKeys")
        .put("events", missingKeys.events())
        .put("first", missingKeys.events() == 0 ? null : missingKeys.first())
        .put("last", missingKeys.events() == 0 ? null : missingKeys.last())
        .put("notChecked", missingKeys.failure().orElse(null))
        .set("keys", JSON.valueToTree(missingKeys.keys()));
  }

  private static ObjectNode json(VerificationReport.Found found) {
    VerificationFinding verificationFinding = found.finding();
    ObjectNode json =
        JSON.createObjectNode()
            .put("kind", verificationFinding.kind())
            .put("message", verificationFinding.message());
    json.setAll((ObjectNode) JSON.valueToTree(verificationFinding));
    json.set(
        "accepted", JSON.valueToTree(found.accepted().map(VerificationJson::json).orElse(null)));
    return json;
  }

  private static Map<String, Object> json(AcceptedMismatch acceptedMismatch) {
    return Map.of(
        "position",
        acceptedMismatch.position(),
        "size",
        acceptedMismatch.size(),
        "operator",
        acceptedMismatch.operator(),
        "reason",
        acceptedMismatch.reason());
  }
}
