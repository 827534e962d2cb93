"""Anthropic's own client against the emulator's Messages."""

import anthropic
import pytest

from conftest import ENGINE, SCHEMAS, check, prompt, refused_prompt


@pytest.fixture
def client():
    return anthropic.Anthropic(max_retries=0)


def arguments(name, **changed):
    return {
        "model": "any-model",
        "max_tokens": 1000,
        "system": "Use the tool.",
        "messages": [{"role": "user", "content": prompt(name)}],
        "tools": [{"name": name, "description": "Reports.", "input_schema": SCHEMAS[name]}],
        "tool_choice": {"type": "tool", "name": name, "disable_parallel_tool_use": True},
        **changed,
    }


def plain(name, **changed):
    return arguments(name, tools=anthropic.omit, tool_choice=anthropic.omit, **changed)


def says(text):
    return [{"role": "user", "content": text}]


def test_a_prompt_gets_the_tool_used(client, name):
    message = client.messages.create(**arguments(name))
    assert message.model == ENGINE
    assert message.id.startswith("msg_")
    assert message._request_id
    assert message.stop_reason == "tool_use"
    (use,) = message.content
    assert (use.type, use.name) == ("tool_use", name)
    check(name, use.input)
    assert message.usage.input_tokens > 0 and message.usage.output_tokens > 0


def test_any_tool_chooses_the_first_one(client, name):
    message = client.messages.create(**arguments(name, tool_choice={"type": "any"}))
    assert message.content[0].name == name


@pytest.mark.parametrize("choice", ["auto", "none"])
def test_an_optional_tool_is_not_used(client, name, choice):
    message = client.messages.create(**arguments(name, tool_choice={"type": choice}))
    assert message.model == ENGINE
    assert message.stop_reason == "end_turn"


def test_a_text(client, name):
    message = client.messages.create(**plain(name))
    assert message.model == ENGINE
    assert message.stop_reason == "end_turn"
    (block,) = message.content
    assert block.type == "text" and block.text


def test_a_conversation_with_a_tool_result(client, name):
    use = client.messages.create(**arguments(name)).content[0]
    message = client.messages.create(
        **arguments(
            name,
            tool_choice=anthropic.omit,
            system=[{"type": "text", "text": "Use the tool."}],
            messages=[
                *says(prompt(name)),
                {"role": "assistant", "content": [use.model_dump()]},
                {
                    "role": "user",
                    "content": [
                        {"type": "tool_result", "tool_use_id": use.id, "content": "done"}
                    ],
                },
            ],
        )
    )
    assert message.stop_reason == "end_turn"


def test_a_tool_use_is_streamed(client, name):
    with client.messages.stream(**arguments(name)) as stream:
        events = [event.type for event in stream]
        message = stream.get_final_message()
    assert events[0] == "message_start" and events[-1] == "message_stop"
    assert message.model == ENGINE
    assert message.stop_reason == "tool_use"
    check(name, message.content[0].input)
    assert message.usage.output_tokens > 0


def test_a_text_is_streamed(client, name):
    with client.messages.stream(**plain(name)) as stream:
        pieces = list(stream.text_stream)
        message = stream.get_final_message()
    assert len(pieces) > 1
    assert "".join(pieces) == message.content[0].text
    assert message.model == ENGINE
    assert message.stop_reason == "end_turn"


def test_raw_events(client, name):
    events = list(client.messages.create(**arguments(name, stream=True)))
    assert events[0].message.model == ENGINE
    assert events[-2].delta.stop_reason == "tool_use"


def test_a_refusal(client, name):
    message = client.messages.create(**arguments(name, messages=says(refused_prompt(name))))
    assert message.model == ENGINE
    assert message.stop_reason == "refusal"


def test_an_answer_over_the_limit_is_cut(client, name):
    message = client.messages.create(**plain(name, max_tokens=2))
    assert message.stop_reason == "max_tokens"
    assert message.usage.output_tokens <= 2
    message = client.messages.create(**arguments(name, max_tokens=2))
    assert message.stop_reason == "max_tokens"


def test_a_wrong_key(client):
    wrong = client.with_options(api_key="sk-nobodys")
    with pytest.raises(anthropic.AuthenticationError) as error:
        wrong.messages.create(**arguments("message_analysis"))
    assert error.value.body["error"]["type"] == "authentication_error"
    assert error.value.request_id == error.value.body["request_id"]
    assert "sk-nobodys" not in str(error.value)


@pytest.mark.parametrize(
    "changed, message",
    [
        ({"extra_body": {"frobnicate": 1}}, "frobnicate: Extra inputs are not permitted"),
        ({"model": ""}, "model: String should have at least 1 character"),
        ({"max_tokens": 0}, "max_tokens: Input should be greater than or equal to 1"),
        ({"messages": []}, "messages: at least one message is required"),
        ({"messages": [{"role": "assistant", "content": "a"}]}, "messages: first message"),
        ({"messages": [{"role": "boss", "content": "a"}]}, "messages.0.role: Input should be"),
        ({"tools": [{"name": "a"}]}, "tools.0.input_schema: Field required"),
        ({"tool_choice": {"type": "tool", "name": "other"}}, "tool_choice.name: the named tool"),
        ({"extra_body": {"temperature": 2}}, "temperature: Input should be"),
        ({"extra_body": {"stop_sequences": ["a"]}}, "stop_sequences: is not supported"),
        ({"messages": says("word " * 170_000)}, "prompt is too long"),
    ],
)
def test_a_bad_request(client, changed, message):
    with pytest.raises(anthropic.BadRequestError) as error:
        client.messages.create(**arguments("message_analysis", **changed))
    assert error.value.body["type"] == "error"
    assert error.value.body["error"]["type"] == "invalid_request_error"
    assert error.value.body["error"]["message"].startswith(message)


def test_an_unknown_path(client):
    with pytest.raises(anthropic.NotFoundError):
        client.messages.count_tokens(model="m", messages=says("a"))
