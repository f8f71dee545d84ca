"""The tokenizer classes that transformers 4.57 has, without the "Tokenizer" of their names.

Source: the classes of its models, and `TOKENIZER_MAPPING_NAMES`.
"""

__all__ = ["KNOWN"]

_NAMES = """
Albert Auto Bart Barthez Bartpho Basic Bert BertGeneration BertJapanese Bertweet BigBird
BioGpt Blenderbot BlenderbotSmall Bloom ByT5 CLIP CTRL Camembert Canine Character Clvp
CodeGen CodeLlama Cohere ConvBert Cpm CpmAnt DPRContextEncoder DPRQuestionEncoder DPRReader
Deberta DebertaV2 Dia DistilBert Electra ErnieM Esm FNet FSMT FastSpeech2Conformer Flaubert
Funnel GPT2 GPTNeoX GPTNeoXJapanese GPTSanJapanese GPTSw3 Gemma Herbert JiebaPre Jukebox
Jumanpp LED LayoutLM LayoutLMv2 LayoutLMv3 LayoutXLM Llama Longformer Luke Lxmert M2M100
MBart MBart50 MLuke MPNet MT5 Marian MarkupLM Mecab Mgpstr MistralCommon MobileBert Mvp MyT5
Nllb Nougat OpenAIGPT PLBart Parakeet ParakeetCTC Pegasus Perceiver Phobert Pop2Piano
PreTrained ProphetNet Qwen2 Rag Realm Reformer RemBert RetriBert RoCBert RoCBertBasic
RoCBertWordpiece RoFormer Roberta SPM SeamlessM4T Sentencepiece Siglip Speech2Text
Speech2Text2 SpeechT5 Splinter SqueezeBert SubWordJapanese Sudachi T5 TFBert TFGPT2 Tapas
Tapex TransfoXL Tweet Udop Vits Wav2Vec2 Wav2Vec2CTC Wav2Vec2PhonemeCTC Whisper Wordpiece
XGLM XLM XLMProphetNet XLMRoberta XLNet
"""

KNOWN = frozenset(_NAMES.split())
