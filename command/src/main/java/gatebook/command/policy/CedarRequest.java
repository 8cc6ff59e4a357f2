package gatebook.command.policy;

import com.cedarpolicy.model.AuthorizationRequest;
import com.cedarpolicy.model.entity.Entity;
import com.cedarpolicy.value.CedarMap;
import com.cedarpolicy.value.EntityTypeName;
import com.cedarpolicy.value.EntityUID;
import com.cedarpolicy.value.PrimLong;
import com.cedarpolicy.value.PrimString;
import com.cedarpolicy.value.Value;
import gatebook.command.policy.CedarJson.UnusableInput;
import gatebook.events.call.Principal;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The Cedar request and entities for a question, with ThoughtGate's entity types. */
record CedarRequest(AuthorizationRequest request, Set<Entity> entities) {

  private static final EntityTypeName APP = type("ThoughtGate::App");
  private static final EntityTypeName ROLE = type("ThoughtGate::Role");
  private static final EntityTypeName TOOL_CALL = type("ThoughtGate::ToolCall");
  private static final EntityTypeName MCP_METHOD = type("ThoughtGate::McpMethod");
  private static final EntityUID CALL_TOOL = type("ThoughtGate::Action").of("tools/call");
  private static final EntityUID USE_METHOD = type("ThoughtGate::Action").of("mcp/method");

  /** Attributes that every principal has, so that policies need no {@code has} for them. */
  private static final Set<String> DEFAULT_ATTRIBUTES = Set.of("namespace", "service_account");

  private static final int DAYS_PER_WEEK = 7;

  static CedarRequest of(PolicyQuestion policyQuestion) throws UnusableInput {
    Set<Entity> entities = new HashSet<>();
    Entity principal = principal(policyQuestion.principal(), entities);
    Entity resource = policyQuestion.tool() ? tool(policyQuestion) : method(policyQuestion);
    entities.add(principal);
    entities.add(resource);
    EntityUID action = policyQuestion.tool() ? CALL_TOOL : USE_METHOD;
    return new CedarRequest(
        new AuthorizationRequest(
            principal.getEUID(), action, resource.getEUID(), context(policyQuestion)),
        entities);
  }

  private static Entity principal(Principal principal, Set<Entity> entities) throws UnusableInput {
    Set<EntityUID> roles = new HashSet<>();
    for (String name : principal.roles()) {
      EntityUID role = ROLE.of(CedarJson.requireUnicode(name));
      if (roles.add(role)) {
        entities.add(new Entity(role, Map.of("name", new PrimString(name)), Set.of()));
      }
    }
    return new Entity(APP.of(principal.name()), attributes(principal), roles);
  }

  /** The attribute {@code name} is the principal's name, even if its attributes have another. */
  private static Map<String, Value> attributes(Principal principal) throws UnusableInput {
    Map<String, Value> attributes = new HashMap<>();
    for (String name : DEFAULT_ATTRIBUTES) {
      attributes.put(name, new PrimString(""));
    }
    for (Map.Entry<String, String> attribute : principal.attributes().entrySet()) {
      attributes.put(CedarJson.requireUnicode(attribute.getKey()), text(attribute.getValue()));
    }
    attributes.put("name", text(principal.name()));
    return attributes;
  }

  private static Entity tool(PolicyQuestion policyQuestion) throws UnusableInput {
    return new Entity(
        TOOL_CALL.of(policyQuestion.name()),
        Map.of(
            "name", text(policyQuestion.name()),
            "server", text(policyQuestion.source()),
            "arguments", CedarJson.parseRecord(policyQuestion.arguments())),
        Set.of());
  }

  private static Entity method(PolicyQuestion policyQuestion) throws UnusableInput {
    return new Entity(
        MCP_METHOD.of(policyQuestion.method()),
        Map.of(
            "method", text(policyQuestion.method()),
            "server", text(policyQuestion.source()),
            "name", text(policyQuestion.name())),
        Set.of());
  }

  private static Map<String, Value> context(PolicyQuestion policyQuestion) throws UnusableInput {
    return Map.of(
        "policy_id", text(policyQuestion.policyId()),
        "source_id", text(policyQuestion.source()),
        "time", time(policyQuestion));
  }

  private static Value time(PolicyQuestion policyQuestion) {
    OffsetDateTime at = policyQuestion.at().atOffset(ZoneOffset.UTC);
    CedarMap time = new CedarMap();
    time.put("hour", new PrimLong((long) at.getHour()));
    time.put("day_of_week", new PrimLong((long) at.getDayOfWeek().getValue() % DAYS_PER_WEEK));
    time.put("timestamp", new PrimLong(at.toEpochSecond()));
    return time;
  }

  private static PrimString text(String text) throws UnusableInput {
    return new PrimString(CedarJson.requireUnicode(text));
  }

  private static EntityTypeName type(String name) {
    return EntityTypeName.parse(name).orElseThrow();
  }
}
