package gatebook.api.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

/** A reply over A2A, with the correlation id of its request. */
record A2aReply(String correlationId, int status, JsonNode response) {

  JsonNode result() {
    assertThat(response.path("error").isMissingNode()).as("%s", response).isTrue();
    return response.path("result");
  }

  /** The code and the message. */
  String error() {
    JsonNode error = response.path("error");
    return error.path("code").asInt() + " " + error.path("message").asText();
  }
}
