"""OpenAI's own client against the emulator's chat completions."""

import json
from typing import List

import openai
import pytest
from pydantic import BaseModel

from conftest import ENGINE, SCHEMAS, check, prompt, refused_prompt


@pytest.fixture
def client():
    return openai.OpenAI(max_retries=0)


def messages(text):
    return [
        {"role": "system", "content": "Answer in JSON."},
        {"role": "user", "content": text},
    ]


def response_format(name, schema=None):
    schema = schema or SCHEMAS[name]
    return {
        "type": "json_schema",
        "json_schema": {"name": name, "strict": True, "schema": schema},
    }


def create(client, name, **arguments):
    arguments = {
        "model": "gpt-4o",
        "messages": messages(prompt(name)),
        "response_format": response_format(name),
        "max_completion_tokens": 1000,
        **arguments,
    }
    return client.chat.completions.create(**arguments)


def tool(name):
    function = {"name": name, "strict": True, "parameters": SCHEMAS[name]}
    return {"type": "function", "function": function}


def test_a_prompt_gets_an_object_of_its_schema(client, name):
    completion = create(client, name)
    assert completion.model == ENGINE
    assert completion.id.startswith("chatcmpl-")
    assert completion._request_id
    choice = completion.choices[0]
    assert choice.finish_reason == "stop"
    assert choice.message.refusal is None
    check(name, json.loads(choice.message.content))
    usage = completion.usage
    assert usage.total_tokens == usage.prompt_tokens + usage.completion_tokens > 0


class Suggestion(BaseModel):
    text: str
    translation: str


class Suggestions(BaseModel):
    suggestions: List[Suggestion]


class Answer(BaseModel):
    answer: str
    found: bool
    sources: List[str]


def test_parse_returns_the_requested_type(client):
    completion = client.chat.completions.parse(
        model="gpt-4o",
        messages=messages(prompt("conversation_answer")),
        response_format=Answer,
    )
    assert completion.model == ENGINE
    parsed = completion.choices[0].message.parsed
    check("conversation_answer", parsed.model_dump())


def test_parse_takes_nested_types(client):
    completion = client.chat.completions.parse(
        model="gpt-4o",
        messages=messages(prompt("reply_suggestions")),
        response_format=Suggestions,
    )
    assert isinstance(completion.choices[0].message.parsed, Suggestions)


@pytest.mark.parametrize("is_named", [True, False])
def test_a_required_tool_is_called(client, name, is_named):
    named = {"type": "function", "function": {"name": name}}
    completion = create(
        client,
        name,
        response_format=openai.omit,
        tools=[tool(name)],
        tool_choice=named if is_named else "required",
    )
    assert completion.model == ENGINE
    choice = completion.choices[0]
    assert choice.finish_reason == ("stop" if is_named else "tool_calls")
    assert choice.message.content is None
    (call,) = choice.message.tool_calls
    assert call.function.name == name
    check(name, json.loads(call.function.arguments))


def test_an_optional_tool_is_not_called(client, name):
    completion = create(client, name, response_format=openai.omit, tools=[tool(name)])
    assert completion.model == ENGINE
    assert completion.choices[0].message.tool_calls is None
    assert completion.choices[0].message.content


def test_a_stream_has_the_same_content_in_pieces(client, name):
    stream = create(client, name, stream=True, stream_options={"include_usage": True})
    chunks = list(stream)
    assert {chunk.model for chunk in chunks} == {ENGINE}
    pieces = [choice.delta.content for chunk in chunks for choice in chunk.choices]
    text = "".join(piece or "" for piece in pieces)
    assert text == create(client, name).choices[0].message.content
    assert sum(bool(piece) for piece in pieces) > 1
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert chunks[-1].choices == []
    assert chunks[-1].usage.completion_tokens > 0


def test_the_client_puts_a_stream_together(client):
    arguments = {
        "model": "gpt-4o",
        "messages": messages(prompt("conversation_answer")),
        "response_format": Answer,
    }
    with client.chat.completions.stream(**arguments) as stream:
        completion = stream.get_final_completion()
    assert completion.model == ENGINE
    assert isinstance(completion.choices[0].message.parsed, Answer)


def test_a_tool_call_is_streamed(client, name):
    stream = create(
        client,
        name,
        response_format=openai.omit,
        tools=[tool(name)],
        tool_choice="required",
        stream=True,
    )
    calls = [
        call
        for chunk in stream
        for choice in chunk.choices
        for call in choice.delta.tool_calls or []
    ]
    assert calls[0].id and calls[0].function.name == name
    check(name, json.loads("".join(call.function.arguments or "" for call in calls)))


def test_a_json_object(client):
    completion = create(
        client, "reply_suggestions", response_format={"type": "json_object"}
    )
    assert isinstance(json.loads(completion.choices[0].message.content), dict)


def test_a_refusal_is_no_content(client, name):
    completion = create(client, name, messages=messages(refused_prompt(name)))
    assert completion.model == ENGINE
    message = completion.choices[0].message
    assert message.content is None
    assert message.refusal
    assert completion.choices[0].finish_reason == "stop"


def test_a_refusal_is_streamed(client, name):
    stream = create(client, name, messages=messages(refused_prompt(name)), stream=True)
    deltas = [choice.delta for chunk in stream for choice in chunk.choices]
    assert "".join(delta.refusal or "" for delta in deltas)
    assert not any(delta.content for delta in deltas)


def test_an_answer_over_the_limit_is_cut(client, name):
    completion = create(client, name, max_completion_tokens=3)
    assert completion.model == ENGINE
    assert completion.choices[0].finish_reason == "length"
    assert completion.usage.completion_tokens <= 3
    with pytest.raises(openai.LengthFinishReasonError):
        client.chat.completions.parse(
            model="gpt-4o",
            messages=messages(prompt("conversation_answer")),
            response_format=Answer,
            max_completion_tokens=3,
        )


def test_a_wrong_key(client):
    with pytest.raises(openai.AuthenticationError) as error:
        create(client.with_options(api_key="sk-nobodys"), "message_analysis")
    assert error.value.code == "invalid_api_key"
    assert error.value.request_id
    assert "sk-nobodys" not in str(error.value)


def refused(client, **arguments):
    with pytest.raises(openai.BadRequestError) as error:
        create(client, "message_analysis", **arguments)
    assert error.value.type == "invalid_request_error"
    return error.value


def test_a_schema_against_the_strict_rules(client):
    schema = {**SCHEMAS["message_analysis"], "required": []}
    error = refused(client, response_format=response_format("analysis", schema))
    assert error.param == "response_format"
    assert "'required' is required to be supplied" in error.message


def test_an_unknown_argument(client):
    error = refused(client, extra_body={"frobnicate": 1})
    assert (error.param, error.code) == ("frobnicate", "unknown_parameter")


@pytest.mark.parametrize("param", ["model", "messages"])
def test_a_missing_argument(client, param):
    error = refused(client, **{param: openai.omit})
    assert (error.param, error.code) == (param, "missing_required_parameter")


def test_a_context_too_long(client):
    error = refused(client, messages=messages("word " * 110_000))
    assert (error.param, error.code) == ("messages", "context_length_exceeded")


def test_an_unknown_path(client):
    with pytest.raises(openai.NotFoundError):
        client.embeddings.create(model="m", input="a")


def test_the_one_model(client):
    assert [model.id for model in client.models.list()] == [ENGINE]
