/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What C and GLSL share of expressions. */
#ifndef GST_GLES_EXPRESSION_LAYOUT_H
#define GST_GLES_EXPRESSION_LAYOUT_H

#ifdef GL_ES
#include "lib/layout.h"
#else
#include <layout.h>
#endif

/* For 0 to 45 degrees: the tangent times 2^31, rounded. */
#define GST_GLES_N_TANGENTS 46
#define GST_GLES_TANGENTS                                                                          \
  0x00000000u, 0x023bf7b3u, 0x047848a5u, 0x06b54c51u, 0x08f35c9du, 0x0b32d41au, 0x0d740e3bu,       \
      0x0fb7678du, 0x11fd3df8u, 0x1445f0fcu, 0x1691e1ecu, 0x18e17437u, 0x1b350dacu, 0x1d8d16c1u,   \
      0x1fe9fae1u, 0x224c28bdu, 0x24b412a3u, 0x27222ed7u, 0x2996f7f7u, 0x2c12ed5fu, 0x2e96939eu,   \
      0x312274eau, 0x33b721a1u, 0x365530d7u, 0x38fd40e9u, 0x3baff827u, 0x3e6e057fu, 0x41382143u,   \
      0x440f0dfeu, 0x46f39958u, 0x49e69d16u, 0x4ce90032u, 0x4ffbb80bu, 0x531fc9bbu, 0x56564b8au,   \
      0x59a0668fu, 0x5cff5876u, 0x60747588u, 0x64012adbu, 0x67a700d2u, 0x6b679de1u, 0x6f44c9afu,   \
      0x73407092u, 0x775ca783u, 0x7b9bb095u, 0x80000000u

/* For the code values 0 to 255 of sRGB: the light times 65535, rounded. */
#define GST_GLES_LIGHT                                                                             \
  0u, 20u, 40u, 60u, 80u, 99u, 119u, 139u, 159u, 179u, 199u, 219u, 241u, 264u, 288u, 313u, 340u,   \
      367u, 396u, 427u, 458u, 491u, 526u, 562u, 599u, 637u, 677u, 718u, 761u, 805u, 851u, 898u,    \
      947u, 997u, 1048u, 1101u, 1156u, 1212u, 1270u, 1330u, 1391u, 1453u, 1517u, 1583u, 1651u,     \
      1720u, 1790u, 1863u, 1937u, 2013u, 2090u, 2170u, 2250u, 2333u, 2418u, 2504u, 2592u, 2681u,   \
      2773u, 2866u, 2961u, 3058u, 3157u, 3258u, 3360u, 3464u, 3570u, 3678u, 3788u, 3900u, 4014u,   \
      4129u, 4247u, 4366u, 4488u, 4611u, 4736u, 4864u, 4993u, 5124u, 5257u, 5392u, 5530u, 5669u,   \
      5810u, 5953u, 6099u, 6246u, 6395u, 6547u, 6700u, 6856u, 7014u, 7174u, 7335u, 7500u, 7666u,   \
      7834u, 8004u, 8177u, 8352u, 8528u, 8708u, 8889u, 9072u, 9258u, 9445u, 9635u, 9828u, 10022u,  \
      10219u, 10417u, 10619u, 10822u, 11028u, 11235u, 11446u, 11658u, 11873u, 12090u, 12309u,      \
      12530u, 12754u, 12980u, 13209u, 13440u, 13673u, 13909u, 14146u, 14387u, 14629u, 14874u,      \
      15122u, 15371u, 15623u, 15878u, 16135u, 16394u, 16656u, 16920u, 17187u, 17456u, 17727u,      \
      18001u, 18277u, 18556u, 18837u, 19121u, 19407u, 19696u, 19987u, 20281u, 20577u, 20876u,      \
      21177u, 21481u, 21787u, 22096u, 22407u, 22721u, 23038u, 23357u, 23678u, 24002u, 24329u,      \
      24658u, 24990u, 25325u, 25662u, 26001u, 26344u, 26688u, 27036u, 27386u, 27739u, 28094u,      \
      28452u, 28813u, 29176u, 29542u, 29911u, 30282u, 30656u, 31033u, 31412u, 31794u, 32179u,      \
      32567u, 32957u, 33350u, 33745u, 34143u, 34544u, 34948u, 35355u, 35764u, 36176u, 36591u,      \
      37008u, 37429u, 37852u, 38278u, 38706u, 39138u, 39572u, 40009u, 40449u, 40891u, 41337u,      \
      41785u, 42236u, 42690u, 43147u, 43606u, 44069u, 44534u, 45002u, 45473u, 45947u, 46423u,      \
      46903u, 47385u, 47871u, 48359u, 48850u, 49344u, 49841u, 50341u, 50844u, 51349u, 51858u,      \
      52369u, 52884u, 53401u, 53921u, 54445u, 54971u, 55500u, 56032u, 56567u, 57105u, 57646u,      \
      58190u, 58737u, 59287u, 59840u, 60396u, 60955u, 61517u, 62082u, 62650u, 63221u, 63795u,      \
      64372u, 64952u, 65535u

/* A map of arrays: parameter i is in word i % 4 of values[i / 4]. */
GST_GLES_STRUCT (GstGlesMapPass)
{
  GST_GLES_U32 n;
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
  GST_GLES_U32 pad_2;
};
GST_GLES_STRUCT_END (GstGlesMapPass)

#endif
